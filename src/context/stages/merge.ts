import type { MergeOptions } from '../../api/policy.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { totalTokens } from '../window/entry.ts'
import { foldText } from '../summary/fold-text.ts'
import { readLedger } from '../summary/ledger.ts'
import type { Region } from '../../api/policy.ts'
import { entriesOf, spoken, unitsWithin } from '../compaction/region.ts'
import { type IndexedUnit, placedUnits } from '../window/unit.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { isSmaller, told } from '../summary/stand-in.ts'
import { toolRecord } from '../summary/tool-record.ts'

/** Puts one record in place of each long run of old tool traffic. A run is neighbouring bundles, each of them whole. */
export function* merge(input: StageInput, options: MergeOptions): Pausing<readonly ProposedFold[]> {
  const { runOver = 6, tokensMin = 5_000, runsMax = 5 } = options
  const proposals: ProposedFold[] = []
  for (const run of runsOf(input, options)) {
    if (proposals.length >= runsMax) break
    const messages = run.reduce((sum, { unit }) => sum + unit.entries.length, 0)
    const tokens = run.reduce((sum, { unit }) => sum + unit.tokens, 0)
    if (messages > runOver && tokens >= tokensMin) proposals.push(...(yield* merged(run, options)))
  }
  return proposals
}

/** Neighbours in the window that are all tool traffic and may all be touched. */
function runsOf(input: StageInput, region: Region): readonly (readonly IndexedUnit[])[] {
  const touchable = new Set(unitsWithin(input, region).map(({ first }) => first))
  const runs: IndexedUnit[][] = []
  let run: IndexedUnit[] = []
  const end = (): void => {
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const placed of placedUnits(input.entries)) {
    if (touchable.has(placed.first) && isToolTraffic(placed)) run.push(placed)
    else end()
  }
  end()
  return runs
}

function isToolTraffic({ unit }: IndexedUnit): boolean {
  return unit.entries.some(
    (entry) => spoken(entry)?.parts.some(({ type }) => type === 'tool-call' || type === 'tool-result') === true,
  )
}

function* merged(run: readonly IndexedUnit[], options: MergeOptions): Pausing<readonly ProposedFold[]> {
  const entries = entriesOf(run)
  const tokens = totalTokens(entries)
  const tokensMax = Math.min(options.tokensMax ?? 1_500, Math.floor(tokens / 2))
  const units = run.map(({ unit }) => unit)
  const { identifiers } = yield* readLedger(entries)
  const record = foldText({ ...toolRecord(units, tokensMax), identifiers, vitalMax: options.vitalCharacters ?? 600 })
  const standIn = [told(options.role ?? 'user', record)]
  if (!isSmaller(standIn, entries)) return []
  return [{ kind: 'merge', entries, standIn, by: 'rule', prompt: { name: 'merge-tools', tokensMax } }]
}
