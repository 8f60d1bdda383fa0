import { type Entry, tokensOf } from './entry.ts'
import { type Unit, isLongWindow, unitsOf } from './unit.ts'

/** As many as the windows that are kept, and twice: some are shown in part. */
const WINDOWS_MAX = 64

/**
 * The units of the windows that were used last. A window mostly grows at its end, and then only what is new is looked at: a turn of
 * hundreds of tool calls would otherwise pair all of them again for each context.
 */
export class UnitCache {
  readonly #known = new Map<string, GrowingUnits>()

  /** The same as `unitsOf`. `name` says which window it is: a wrong one only costs time. */
  of(name: string, entries: readonly Entry[]): readonly Unit[] {
    if (isLongWindow(entries)) {
      this.#known.delete(name)
      return unitsOf(entries)
    }
    const known = this.#known.get(name)?.grownTo(entries) ?? new GrowingUnits(entries, unitsOf(entries))
    this.#known.delete(name)
    this.#known.set(name, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > WINDOWS_MAX && oldest !== undefined) this.#known.delete(oldest)
    return known.units
  }
}

class GrowingUnits {
  readonly units: readonly Unit[]
  readonly #entries: readonly Entry[]
  /** In which unit a call is; `undefined` where ids repeat or results come before their calls, so that new ones may change old units. */
  readonly #unitOfCall: Map<string, number> | undefined

  constructor(entries: readonly Entry[], units: readonly Unit[], unitOfCall = placesOfCalls(entries, units)) {
    this.#entries = entries
    this.units = units
    this.#unitOfCall = unitOfCall
  }

  /** With what was added at the end; `undefined` if anything else is different, or if it cannot be told apart. */
  grownTo(entries: readonly Entry[]): GrowingUnits | undefined {
    if (this.#unitOfCall === undefined || entries.length < this.#entries.length) return undefined
    for (let index = 0; index < this.#entries.length; index++)
      if (entries[index] !== this.#entries[index]) return undefined
    if (entries.length === this.#entries.length) return this
    // Nobody asks this one again: whether it works or not, another takes its place.
    const places = this.#unitOfCall
    const units = [...this.units]
    for (const entry of entries.slice(this.#entries.length)) if (!add(entry, units, places)) return undefined
    return new GrowingUnits(entries, units, places)
  }
}

/** Adds an entry at the end; `false` where it is not clear at once which unit it belongs to. */
function add(entry: Entry, units: Unit[], places: Map<string, number>): boolean {
  if (entry.type === 'fold') return false
  const calls: string[] = []
  const answers: string[] = []
  for (const part of entry.message.parts) {
    if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.providerExecuted === true) continue
    if (part.type === 'tool-call') calls.push(part.id)
    else if (part.callId !== undefined) answers.push(part.callId)
  }
  const [first] = answers
  if (first === undefined) {
    for (const id of calls) {
      if (places.has(id)) return false
      places.set(id, units.length)
    }
    units.push({ entries: [entry], tokens: tokensOf(entry), open: calls })
    return true
  }
  const at = places.get(first)
  const unit = at === undefined ? undefined : units[at]
  if (at === undefined || unit === undefined || calls.length > 0 || answers.some((id) => places.get(id) !== at))
    return false
  units[at] = {
    entries: [...unit.entries, entry],
    tokens: unit.tokens + tokensOf(entry),
    open: unit.open.filter((id) => !answers.includes(id)),
  }
  return true
}

function placesOfCalls(entries: readonly Entry[], units: readonly Unit[]): Map<string, number> | undefined {
  const places = new Map<string, number>()
  const again: Unit[] = []
  for (const entry of entries) if (!add(entry, again, places)) return undefined
  return again.length === units.length ? places : undefined
}
