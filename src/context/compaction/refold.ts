import type { Fold, SeqRange } from '../../domain/fold.ts'
import type { Log } from '../../log/log.ts'
import { scan } from '../../log/scan.ts'
import { withPauses } from '../../log/with-pauses.ts'
import type { View } from '../../log/view.ts'
import type { Compaction } from '../window/compaction.ts'
import { type Entry, entrySources, totalTokens } from '../window/entry.ts'
import { joinRanges, rangesHave } from '../window/ranges.ts'
import { placedUnits, unitsOf } from '../window/unit.ts'
import { foldText } from '../summary/fold-text.ts'
import { ledgerInTurns } from '../summary/ledger.ts'
import { droppedMarker } from '../summary/marker.ts'
import { told } from '../summary/stand-in.ts'
import { tell } from '../summary/summary-size.ts'
import { toolRecord } from '../summary/tool-record.ts'
import { type Words, countedFold } from './run-stages.ts'

/** For identifiers that must stay visible in a record of tools, in characters: as `merge` has it. */
const VITAL_CHARACTERS = 600
/** Below, a summary says nothing: as `telling` has it. */
const TOKENS_MIN = 60

/**
 * A compaction without messages that are forgotten: each fold that hid one of them is told again from the others, by rule,
 * whoever told it before. A fold that would not be smaller is opened, and one that hid nothing else is gone. The same
 * compaction is answered if it does not concern it.
 */
export async function refold(
  log: Pick<Log, 'store' | 'count' | 'counter'>,
  view: View,
  compaction: Compaction,
  forgotten: ReadonlySet<number>,
): Promise<Compaction> {
  const concerns = (fold: Fold): boolean => [...forgotten].some((seq) => rangesHave(fold.sources, seq))
  const entries: Compaction['entries'][number][] = []
  let changed = false
  for (const item of compaction.entries) {
    if ('keep' in item || !concerns(item.fold)) entries.push(item)
    else {
      changed = true
      entries.push(...(await toldAgain(log, view, item.fold, forgotten)))
    }
  }
  // Why a model's words were not used may quote what it said.
  const quotes = compaction.steps.some(({ modelFailures }) => modelFailures.length > 0)
  if (!changed && !quotes) return compaction
  return { ...compaction, entries, steps: compaction.steps.map((step) => ({ ...step, modelFailures: [] })) }
}

async function toldAgain(
  log: Pick<Log, 'store' | 'count' | 'counter'>,
  view: View,
  fold: Fold,
  forgotten: ReadonlySet<number>,
): Promise<Compaction['entries']> {
  const left: Entry[] = []
  for (const { from, through } of fold.sources)
    for await (const message of scan(log.store, view, { from, through, newestFirst: false, withRemoved: true }))
      if (!forgotten.has(message.seq)) left.push({ type: 'message', message })
  if (left.length === 0) return []
  const words = await wordsFor(fold, left)
  const run = { genesis: view.session.genesis, count: log.count, counter: log.counter }
  const again = words === undefined ? undefined : await countedFold(run, fold.kind, left, words)
  if (again !== undefined && again.tokens < totalTokens(left)) return [{ fold: again }]
  return joinRanges(left.flatMap(entrySources)).map((keep: SeqRange) => ({ keep }))
}

async function wordsFor(fold: Fold, left: readonly Entry[]): Promise<Words | undefined> {
  const ledger = await ledgerInTurns(left)
  const tokensMax = Math.max(TOKENS_MIN, fold.tokens)
  if (fold.kind === 'drop') return { standIn: [told('user', droppedMarker(left))], by: 'rule', ledger }
  if (fold.kind === 'merge') {
    const record = foldText({
      ...toolRecord(unitsOf(left), tokensMax),
      identifiers: ledger.identifiers,
      vitalMax: VITAL_CHARACTERS,
    })
    return { standIn: [told(fold.standIn[0]?.role === 'assistant' ? 'assistant' : 'user', record)], by: 'rule', ledger }
  }
  const role = fold.standIn[0]?.role === 'assistant' ? 'assistant' : 'user'
  const [proposal] = await withPauses(tell(placedUnits(left), 'summarise-round', { tokensMax, ratio: 1, role }))
  return proposal === undefined ? undefined : { standIn: proposal.standIn, by: proposal.by, ledger }
}
