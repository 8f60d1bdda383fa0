import { defined } from '../domain/defined.ts'
import type { Fact, FactSource, FactState } from '../domain/fact.ts'
import { OPEN_END, isoOrNull } from '../domain/span.ts'
import type { Asking, SourceRow, SourcesOfFact } from '../ports/knowledge-store.ts'
import { ask, askInParallel } from './ask.ts'
import { countRevisions } from './count-revisions.ts'
import { factText } from './fact-text.ts'
import { type KnownFact, holdsAt, spansOf } from './known-fact.ts'
import type { Viewpoint } from './moment.ts'
import { sourceIn } from './stated-time.ts'

/** A fact told ten thousand times has ten thousand sources; a list of facts shows the newest of each. */
export const SOURCES_SHOWN_MAX = 20

/** What a fact is at a time. */
export function stateOf(fact: KnownFact, at: number): FactState {
  if (fact.standing !== 'held') return fact.standing
  if (fact.trust === 0) return 'quarantined'
  if (holdsAt(fact, at)) return 'current'
  return fact.validFrom > at ? 'upcoming' : 'closed'
}

/** Facts as a scope is shown them: with their sources as of a version, and revisions as the scope counts them. */
export function* showFacts(
  chain: readonly string[],
  facts: readonly KnownFact[],
  { at, version }: Viewpoint,
): Asking<readonly Fact[]> {
  const [shown, counted] = yield* askInParallel([factsWithSources(facts, at, version), countRevisions(chain, facts)])
  return shown.map((fact, index) => ({ ...fact, revision: counted[index]?.revision ?? 0 }))
}

/** Facts with their sources as of a version. Their revisions are versions of the root: not for whoever asked. */
export function* factsWithSources(facts: readonly KnownFact[], at: number, version?: number): Asking<readonly Fact[]> {
  if (facts.length === 0) return []
  const sources = yield* ask({ of: 'sources', facts, limit: SOURCES_SHOWN_MAX, ...defined({ version }) })
  return facts.map((fact, index) => showFact(fact, at, sources[index] ?? { count: 0, rows: [] }))
}

export function showFact(fact: KnownFact, at: number, sources: Omit<SourcesOfFact, 'fact'>): Fact {
  const { body } = fact
  const spans = spansOf(fact)
  const gaps = spans.slice(1).map(({ from }, index) => ({
    from: new Date(spans[index]?.to ?? from).toISOString(),
    to: new Date(from).toISOString(),
  }))
  return {
    id: fact.id,
    revision: fact.revision,
    scope: fact.scope,
    subject: body.subject,
    predicate: fact.predicate,
    object: body.object,
    text: factText(body.subject, fact.predicate, body.object),
    validFrom: isoOrNull(fact.validFrom),
    validTo: isoOrNull(fact.validTo),
    ...(gaps.length === 0 ? {} : { except: gaps }),
    learnedAt: new Date(fact.learnedAt).toISOString(),
    retractedAt: isoOrNull(body.retracted?.at ?? OPEN_END),
    sources: sources.rows.map(showSource),
    sourceCount: sources.count,
    trust: fact.trust,
    confidence: body.confidence,
    tags: body.tags,
    state: stateOf(fact, at),
    ...defined({ reason: body.reason, closedBy: body.closedBy }),
  }
}

function showSource({ evidence, trust, body }: SourceRow): FactSource {
  return { ...sourceIn(body), evidence, trust }
}
