import type { Draft } from '../../domain/message.ts'
import { bareUnits } from '../in-part/bare-units.ts'
import { shortenUnits } from '../in-part/shorten-units.ts'
import { type Entry, positionOf } from '../window/entry.ts'
import { type Unit, unitsOf } from '../window/unit.ts'
import { newestTurn } from './assemble.ts'
import type { AssembleRequest } from './context.ts'

type Fits = (terms: AssembleRequest) => Promise<boolean>

export interface Squeezed {
  /** The request with its newest turn shown in part, so that it fits; `undefined` if it does not fit even bare. */
  readonly squeezed: AssembleRequest | undefined
  /** The request with the least that its newest turn can be. */
  readonly bare: AssembleRequest
}

/**
 * Shows the newest turn in part, as much of it as fits. System messages and pins stay whole; a plan goes before the turn is cut
 * to the least.
 */
export async function squeeze(terms: AssembleRequest, fits: Fits): Promise<Squeezed> {
  const units = shortenable(terms)
  const whole = wholeEntries(terms)
  for (const plan of terms.plan.length === 0 ? [terms.plan] : [terms.plan, []]) {
    const replaced = await shortenUnits({
      units,
      whole,
      count: (draft) => terms.scale.weigh(draft),
      counter: terms.scale.counter,
      fits: (entries) => fits(withEntries(withPlan(terms, plan), entries)),
      ledger: 'without',
    })
    if (replaced !== undefined) return { squeezed: withEntries(withPlan(terms, plan), replaced), bare: terms }
  }
  const bare = await bareRequest(terms)
  return { squeezed: (await fits(bare)) ? bare : undefined, bare }
}

/** The request with the least that its newest turn can be, and without a plan. */
export async function bareRequest(terms: AssembleRequest): Promise<AssembleRequest> {
  const { scale } = terms
  const count = (draft: Draft): Promise<number> => scale.weigh(draft)
  const replaced = await bareUnits(shortenable(terms), { whole: wholeEntries(terms), count, counter: scale.counter })
  return withEntries(withPlan(terms, []), replaced)
}

function withPlan(terms: AssembleRequest, plan: readonly Draft[]): AssembleRequest {
  return plan.length === terms.plan.length ? terms : { ...terms, plan, planOmitted: true }
}

/** By the entries that show them in part. */
function wholeEntries({ entries, whole }: AssembleRequest): ReadonlyMap<Entry, Entry> {
  return new Map(entries.map((entry, index) => [entry, whole[index] ?? entry]))
}

function withEntries(terms: AssembleRequest, replaced: ReadonlyMap<Entry, Entry>): AssembleRequest {
  const entries = terms.entries.map((entry) => replaced.get(entry) ?? entry)
  return { ...terms, entries, units: unitsOf(entries) }
}

/** Units of the newest turn; pins are shown whole. */
function shortenable({ units, pinned }: AssembleRequest): readonly Unit[] {
  return [...newestTurn(units)].filter((unit) => !unit.entries.some((entry) => pinned.has(positionOf(entry))))
}
