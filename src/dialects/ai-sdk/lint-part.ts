import type { JSONValue } from '../../domain/json.ts'
import { field, isObject, kindOf } from '../canonical/json.ts'
import type { PairingStep } from '../canonical/pairs.ts'
import { providerOf } from '../canonical/provider.ts'
import { isTorn } from '../canonical/shape.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { isBrokenOutput } from './read-output.ts'
import { isMalformedPart, readPart } from './read.ts'

const READING = { keepMalformed: false, at: <T extends object>(value: T): T => value, unit: (): void => undefined }

export interface Linting {
  readonly steps: PairingStep[]
  /** Ids of calls that the provider ran itself. */
  readonly executed: ReadonlySet<unknown>
  readonly report: Report
}

/** Whether the SDK leaves a part out. */
export function isOmittedPart(part: JSONValue): boolean {
  return field(part, 'type') === 'text' && field(part, 'text') === '' && field(part, 'providerOptions') === undefined
}

const PARTS_OF_ROLE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['user', ['text', 'image', 'file']],
  [
    'assistant',
    ['text', 'file', 'reasoning', 'reasoning-file', 'custom', 'tool-call', 'tool-result', 'tool-approval-request'],
  ],
  ['tool', ['tool-result', 'tool-approval-response']],
])

/** What one part can break, and what it means for pairing. */
export function lintPart(
  part: JSONValue,
  role: unknown,
  path: TranscriptPath,
  { steps, executed, report }: Linting,
): void {
  const type = field(part, 'type')
  const read = isObject(part) ? readPart(part, READING, role === 'assistant' ? executed : 'tool') : undefined
  const options = field(part, 'providerOptions')
  if ((read === undefined && isMalformedPart(part)) || (options !== undefined && providerOf(options) === undefined)) {
    report('C0', path, `Cannot read the part: received ${kindOf(part)}, expected a part of the AI SDK`)
    return
  }
  if (PARTS_OF_ROLE.get(role)?.includes(String(type)) === false)
    report('C0', path, `Cannot send a ${String(type)} part with role "${String(role)}"`)
  if (isOmittedPart(part)) report('V5', path, 'Empty text: the SDK drops it')
  if (read?.type === 'reasoning' && read.text === '' && read.provider === undefined)
    report('C6', path, 'Cannot send an empty reasoning part: expected text')
  if (read !== undefined && isTorn(read)) report('C4', path, 'Cannot send reasoning whose signature or id is damaged')
  if (type === 'tool-call') {
    if (!isObject(field(part, 'input')))
      report(
        'C9',
        [...path, 'input'],
        `Cannot send the input: received ${kindOf(field(part, 'input'))}, expected an object`,
      )
    if (field(part, 'providerExecuted') !== true)
      steps.push({ type: 'call', id: String(field(part, 'toolCallId')), path })
  }
  if (type === 'tool-result' && isBrokenOutput(field(part, 'output')))
    report('C0', [...path, 'output'], 'Cannot read the output: expected parts of the AI SDK')
  if (type !== 'tool-result' || executed.has(field(part, 'toolCallId'))) return
  if (role === 'assistant')
    report('C0', path, 'Cannot send the result of a client call with role "assistant": expected tool')
  else steps.push({ type: 'result', id: String(field(part, 'toolCallId')), path })
}
