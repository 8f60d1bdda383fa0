import type { ProviderFields } from '../../domain/part.ts'
import type { Specimen } from '../specimen.ts'
import type { DoctorProblem } from './problem.ts'

/**
 * Reasoning that lost what its provider signed it with, where other reasoning of the conversation still has it: a load that
 * kept the text and dropped the rest. Models that never sign are left alone. What a provider rejects is found by its rules.
 */
export function* lostSignature({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations) {
    const reasoning = conversation
      .spoken()
      .flatMap(({ parts }) => parts.filter(({ part }) => part.type === 'reasoning'))
    if (!reasoning.some(({ part }) => isSigned(part.provider))) continue
    for (const { part, path } of reasoning)
      if (!isSigned(part.provider))
        yield {
          rule: 'lost-signature',
          topic: 'signature',
          severity: 'warning',
          path: [...conversation.path, ...path],
          message: 'Found reasoning without its signature: other reasoning here has one, expected it whole',
        } satisfies DoctorProblem
  }
}

/** Of the provider, and not what our own reader kept beside it. */
function isSigned(provider: ProviderFields | undefined): boolean {
  return Object.entries(provider ?? {}).some(
    ([name, fields]) => !name.startsWith('wire:') && Object.values(fields).some((value) => value !== ''),
  )
}
