import { defined } from '../domain/defined.ts'
import type { ContextDocument, DocumentOptions } from '../api/document.ts'
import { loadWindow } from '../context/window/window.ts'
import { parseTime } from '../domain/moment.ts'
import type { Address } from '../log/log.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { openView } from '../log/view.ts'
import { buildDocument } from './document/build.ts'
import { toolStatsOf } from './count-tools.ts'
import { entriesFrom, valuesOf } from './entry.ts'
import { selectNotes } from './select-notes.ts'
import { NO_TOOL_STATS } from './tool-stats.ts'
import type { StateWiring } from './wiring.ts'

const FACTS_LOOKED_AT_MAX = 2_000
const FACTS_PER_PAGE = 500

/** A document also has what was learned from the session. */
export interface DocumentWiring extends StateWiring {
  readonly knowledge: Knowledge
}

/** The session as one document that people can read. */
export async function documentOf(
  parts: DocumentWiring,
  address: Address,
  options: DocumentOptions = {},
): Promise<ContextDocument> {
  const time = options.asOf === undefined ? undefined : parseTime('read the document', 'asOf', options.asOf)
  const { store, log, work } = parts
  work.checkOpen()
  const view = await openView(store.log, address, options.asOf)
  const entries = view === undefined ? [] : (await loadWindow(store.log, view)).entries
  const window = entries.map((entry) => (entry.type === 'fold' ? entry.fold : entry.message))
  const moment = time === undefined ? {} : { asOf: { time } }
  const [values, notes, toolStats, learned] = await Promise.all([
    store.state.read(address, { section: 'value', ...moment }),
    store.state.read(address, { section: 'note', ...moment }),
    view === undefined ? NO_TOOL_STATS : toolStatsOf(parts, address, time === undefined ? undefined : view),
    learnedFrom(parts, address, options.asOf),
  ])
  const document = buildDocument({
    session: address.session,
    window,
    values: valuesOf(entriesFrom(values.rows)),
    notes: selectNotes(notes.rows),
    toolStats,
    learned,
    nowSeconds: Math.floor((time ?? log.clock.now()) / 1000),
  })
  return options.recent === undefined
    ? document
    : { ...document, recent_history: document.recent_history.slice(-options.recent) }
}

/** What was learned from this session and still holds, among the first facts of its scope. */
async function learnedFrom(
  { knowledge }: DocumentWiring,
  { scope, session }: Address,
  asOf: Date | string | undefined,
): Promise<readonly string[]> {
  const { facts } = await import('../knowledge/facts.ts')
  const found: string[] = []
  let after: string | undefined
  for (let seen = 0; seen < FACTS_LOOKED_AT_MAX; seen += FACTS_PER_PAGE) {
    const page = await facts(knowledge, scope, {
      limit: FACTS_PER_PAGE,
      ...defined({ after, asOf }),
    })
    for (const { text, sources } of page)
      if (sources.some((source) => source.type === 'message' && source.session === session)) found.push(text)
    after = page.at(-1)?.id
    if (page.length < FACTS_PER_PAGE) break
  }
  return found
}
