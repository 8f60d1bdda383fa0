import type { Asking } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { type KnowledgeEdit, factSources } from './knowledge-edit.ts'
import type { Evidence } from './evidence.ts'
import { timeIn } from './stated-time.ts'

/** Longer chains of facts from facts are not followed: what cannot be shown to stand by itself does not count. */
const FACTS_FOLLOWED_MAX = 1_000

/** What the importers say: a file has said all it has to say, however often it is imported. */
const IMPORT = 't:import'

/** A message that taught a fact teaches it once, however often it is read. Being told again is a source of its own. */
export function* learnedAlready(draft: KnowledgeEdit, fact: string, evidence: Evidence): Asking<boolean> {
  const wanted = evidence.sources.map(({ source }) => source).toSorted()
  const [first = ''] = wanted
  if (first === IMPORT) return yield* toldByImport(draft, fact, evidence)
  if (first.startsWith('t:')) return false
  const stored = yield* ask({ of: 'taught', scope: draft.scope, source: first })
  const pending = draft.sources.filter(({ source }) => source === first)
  const groups = new Set([...stored, ...pending].filter((row) => row.fact === fact).map((row) => row.evidence))
  if (groups.size === 0) return false
  const { rows } = yield* factSources(draft, fact, Number.MAX_SAFE_INTEGER)
  return [...groups].some((group) => {
    const same = rows.filter((row) => row.evidence === group)
    const sources = same.map(({ source }) => source).toSorted()
    return (
      JSON.stringify(sources) === JSON.stringify(wanted) &&
      same.every(({ trust, body }) => trust >= evidence.trust && timeIn(body) === evidence.told)
    )
  })
}

/** Asked of the fact: an import may have taught any number of others. */
function* toldByImport(draft: KnowledgeEdit, fact: string, { told }: Evidence): Asking<boolean> {
  const { rows } = yield* factSources(draft, fact, Number.MAX_SAFE_INTEGER)
  return rows.some(({ source, body }) => source === IMPORT && timeIn(body) === told)
}

/** Whether evidence for a fact rests on that very fact. In a circle facts would hold each other up after their source is gone. */
export function* restsOn(draft: KnowledgeEdit, sources: Sources, fact: string): Asking<boolean> {
  const open = factsIn(sources)
  const seen = new Set(open)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === fact || seen.size > FACTS_FOLLOWED_MAX) return true
    const { rows } = yield* factSources(draft, next, Number.MAX_SAFE_INTEGER)
    for (const id of factsIn(rows)) {
      if (!seen.has(id)) open.push(id)
      seen.add(id)
    }
  }
  return false
}

type Sources = readonly { readonly source: string }[]

function factsIn(sources: Sources): string[] {
  return sources.filter(({ source }) => source.startsWith('f:')).map(({ source }) => source.slice(2))
}
