import type { Pins } from '../context/window/pins.ts'
import type { Policy } from '../context/compaction/policy.ts'
import { policyNamed, presets } from '../context/compaction/presets.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import { checkStage } from './check-stage.ts'

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
    checkBounds(attempt, `policy.${key}`, bounds)
  }
  if (advance !== 'until-low' && advance !== 'first-change')
    refuse(attempt, 'policy.advance', advance, 'until-low or first-change')
  if (!Array.isArray(steps)) refuse(attempt, 'policy.steps', steps, 'a list of stages')
  for (const [index, step] of steps.entries()) checkStage(attempt, `policy.steps[${index}]`, step)
  return policy as Policy
}

function checkBounds(attempt: string, path: string, bounds: unknown): void {
  if (typeof bounds !== 'object' || bounds === null) refuse(attempt, path, bounds, 'an object with mark or entries')
  checkOptions(
    `${attempt}: ${path}`,
    bounds,
    path.endsWith('high') ? ['mark', 'entries', 'reached'] : ['mark', 'entries'],
  )
  const { mark, entries } = bounds as Partial<Policy['low']>
  if (entries !== undefined && !(typeof entries === 'number' && entries >= 0))
    refuse(attempt, `${path}.entries`, entries, 'a number from 0 on')
  if (mark === undefined) return
  const [value, ...rest] = Object.values(mark ?? {}) as readonly unknown[]
  const named = typeof mark === 'object' && mark !== null && ('tokens' in mark || 'ratio' in mark)
  if (!named || rest.length > 0 || typeof value !== 'number' || !(value >= 0))
    refuse(attempt, `${path}.mark`, mark, '{ tokens } or { ratio }, a number from 0 on')
}

export function checkPins(attempt: string, pins: unknown): asserts pins is Pins {
  checkOptions(`${attempt}: pins`, pins, ['messages', 'tags', 'tools', 'exemptTools'])
  for (const [key, list] of Object.entries(pins as Record<string, unknown>)) {
    if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
      refuse(attempt, `pins.${key}`, list, 'an array of strings')
  }
}
