import type { Pins } from '../context/window/pins.ts'
import type { Policy } from '../context/compaction/policy.ts'
import { policyNamed, presets } from '../context/compaction/presets.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'

const stages = ['offload', 'merge', 'truncate-results', 'summarise', 'drop']

/** The policy that a caller named or made. */
export function checkPolicy(attempt: string, policy: unknown = 'balanced'): Policy {
  const names = Object.keys(presets).join(', ')
  if (typeof policy === 'string')
    return policyNamed(policy) ?? refuse(attempt, 'policy', policy, `one of ${names}, or a policy`)
  if (typeof policy !== 'object' || policy === null) refuse(attempt, 'policy', policy, `one of ${names}, or a policy`)
  checkOptions(`${attempt}: policy`, policy, ['name', 'high', 'low', 'steps', 'advance'])
  const { name, high, low, steps, advance } = policy as Partial<Policy>
  if (typeof name !== 'string' || name === '') refuse(attempt, 'policy.name', name, 'a name')
  for (const [key, bounds] of Object.entries({ high, low })) {
    if (typeof bounds !== 'object' || bounds === null)
      refuse(attempt, `policy.${key}`, bounds, 'an object with mark or entries')
  }
  if (advance !== 'until-low' && advance !== 'first-change')
    refuse(attempt, 'policy.advance', advance, 'until-low or first-change')
  if (!Array.isArray(steps)) refuse(attempt, 'policy.steps', steps, 'a list of stages')
  for (const step of steps as readonly { readonly stage?: unknown }[]) {
    if (!stages.includes(String(step?.stage))) refuse(attempt, 'policy.steps', step?.stage, stages.join(', '))
  }
  return policy as Policy
}

export function checkPins(attempt: string, pins: unknown): asserts pins is Pins {
  checkOptions(`${attempt}: pins`, pins, ['messages', 'tags', 'tools', 'exemptTools'])
  for (const [key, list] of Object.entries(pins as Record<string, unknown>)) {
    if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
      refuse(attempt, `pins.${key}`, list, 'an array of strings')
  }
}
