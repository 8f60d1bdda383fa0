import type { DropOptions } from '../../api/policy.ts'
import type { Entry } from '../window/entry.ts'
import { isCondensed, isDropFold, isRequest, unitsWithin } from '../compaction/region.ts'
import { type IndexedUnit, placedUnits } from '../window/unit.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { droppedMarker } from '../summary/marker.ts'
import { told } from '../summary/stand-in.ts'

/** About what the line of a fold takes: its marker and the frame of a message. */
const LINE_TOKENS = 50

/**
 * Takes the oldest out of the window until the target is met: turns, whole where all of a turn may go. Summaries go only when no
 * message is left to go and the window is still above its limit. One fold with one line stands for all that was ever dropped.
 */
export function drop(input: StageInput, options: DropOptions): readonly ProposedFold[] {
  if (input.tokens <= input.target) return []
  const target = input.target - (input.entries.some(isDropFold) ? 0 : LINE_TOKENS)
  const units = unitsWithin(input, options).filter(({ unit }) => !unit.entries.every(isDropFold))
  const messages = units.filter(({ unit }) => !unit.entries.every(isCondensed))
  const summaries = units.filter(({ unit }) => unit.entries.every(isCondensed))
  const order = [...turnsOf(messages, input), ...summaries.map((summary) => [summary])]
  const dropped =
    options.mode === 'skip' ? notPacked(units, input.tokens, target) : oldest(order, input.tokens - target)
  const gone = new Set<Entry>(withoutSpared(dropped, input).flatMap(({ unit }) => unit.entries))
  if (gone.size === 0) return []
  const entries = input.entries.filter((entry) => gone.has(entry) || isDropFold(entry))
  return [{ kind: 'drop', entries, standIn: [told('user', droppedMarker(entries))], by: 'rule' }]
}

/** Without the newest summaries that fit under the limit: the target alone is no reason to lose them. */
function withoutSpared(dropped: readonly IndexedUnit[], { tokens, limit }: StageInput): readonly IndexedUnit[] {
  let room = limit - tokens + dropped.reduce((sum, { unit }) => sum + unit.tokens, 0)
  if (dropped.some(({ unit }) => !unit.entries.every(isCondensed))) room -= LINE_TOKENS
  const spared = new Set<IndexedUnit>()
  for (const placed of dropped.filter(({ unit }) => unit.entries.every(isCondensed)).toReversed()) {
    room -= placed.unit.tokens
    if (room < 0) break
    spared.add(placed)
  }
  return dropped.filter((placed) => !spared.has(placed))
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

function notPacked(units: readonly IndexedUnit[], tokens: number, target: number): readonly IndexedUnit[] {
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
