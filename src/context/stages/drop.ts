import type { DropOptions } from '../../api/policy.ts'
import type { Entry } from '../window/entry.ts'
import { type IndexedUnit, isCondensed, isDropFold, isRequest, placedUnits, unitsWithin } from '../compaction/region.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'

/**
 * Takes the oldest out of the window until the target is met: turns, whole where all of a turn may go, and summaries only when no
 * message is left to go. One fold stands for all that was ever dropped, so that dropping never makes the window longer.
 */
export function drop(input: StageInput, options: DropOptions): readonly ProposedFold[] {
  const excess = input.tokens - input.target
  if (excess <= 0) return []
  const units = unitsWithin(input, options).filter(({ unit }) => !unit.entries.every(isDropFold))
  const messages = units.filter(({ unit }) => !unit.entries.every(isCondensed))
  const summaries = units.filter(({ unit }) => unit.entries.every(isCondensed))
  const order = [...turnsOf(messages, input), ...summaries.map((summary) => [summary])]
  const dropped = options.mode === 'skip' ? notPacked(units, input) : oldest(order, excess)
  if (dropped.length === 0) return []
  const gone = new Set<Entry>(dropped.flatMap(({ unit }) => unit.entries))
  const entries = input.entries.filter((entry) => gone.has(entry) || isDropFold(entry))
  return [{ kind: 'drop', entries, standIn: [], by: 'rule' }]
}

/** Turns that may go whole, else their units one by one. The current turn goes unit by unit: it is still being worked on. */
function turnsOf(units: readonly IndexedUnit[], input: StageInput): readonly (readonly IndexedUnit[])[] {
  const touchable = new Set(units.map(({ first }) => first))
  const turns: IndexedUnit[][] = []
  for (const placed of placedUnits(input.entries)) {
    if (turns.length === 0 || placed.unit.entries.some(isRequest)) turns.push([placed])
    else turns.at(-1)?.push(placed)
  }
  return turns.flatMap((turn, index) => {
    const may = turn.filter(({ first }) => touchable.has(first))
    const whole = may.length === turn.length && index < turns.length - 1
    return whole ? [may] : may.map((one) => [one])
  })
}

function oldest(turns: readonly (readonly IndexedUnit[])[], excess: number): readonly IndexedUnit[] {
  let left = excess
  return turns
    .filter((turn) => {
      if (left <= 0) return false
      left -= turn.reduce((sum, { unit }) => sum + unit.tokens, 0)
      return true
    })
    .flat()
}

function notPacked(units: readonly IndexedUnit[], { tokens, target }: StageInput): readonly IndexedUnit[] {
  let room = target - tokens + units.reduce((sum, { unit }) => sum + unit.tokens, 0)
  return units
    .toReversed()
    .filter(({ unit }) => {
      if (unit.tokens > room) return true
      room -= unit.tokens
      return false
    })
    .toReversed()
}
