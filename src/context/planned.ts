import type { Pins } from '../api/contexts.ts'
import { withTags } from './window/pins.ts'
import { type Plan, openTags } from '../domain/plan.ts'
import type { Address } from '../log/log.ts'
import type { ContextWiring } from './wiring.ts'

interface Planned {
  readonly pins: Pins
  readonly plan?: Plan
}

/** The plan that the session keeps in its state, unless the caller gives another or none; its open steps pin what they need. */
export async function planned(
  { store }: ContextWiring,
  address: Address,
  { pins = {}, plan }: { readonly pins?: Pins; readonly plan?: Plan | false },
  time?: number,
): Promise<Planned> {
  if (plan === false) return { pins }
  const kept = plan ?? (await keptPlan())
  return kept === undefined ? { pins } : { pins: withTags(pins, openTags(kept)), plan: kept }

  async function keptPlan(): Promise<Plan | undefined> {
    const { rows } = await store.state.read(address, {
      section: 'value',
      key: 'plan',
      ...(time === undefined ? {} : { asOf: { time } }),
    })
    const text = rows[0]?.value ?? null
    return text === null ? undefined : (JSON.parse(text) as Plan)
  }
}
