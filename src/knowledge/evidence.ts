import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import type { FactSource } from '../domain/fact.ts'
import type { ParsedFact } from '../domain/new-fact.ts'
import { toldTime, withStatedTime } from './stated-time.ts'
import { quote } from '../domain/refuse.ts'
import { type SourceChannel, TRUST_OF_CHANNEL, type Trust, lowestTrust, trustOfMessage } from '../domain/trust.ts'
import { isImportedBody } from '../log/body.ts'
import type { Asking, KnowledgeAnswers, SourceRow } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { ANY, type KnowledgeEdit } from './knowledge-edit.ts'

/** What one call teaches a fact with: one source, or several that only together say it. */
export interface Evidence {
  readonly id: string
  readonly trust: Trust
  /** The time it gives the fact; empty if it gives none. */
  readonly told: string
  readonly sources: readonly Omit<SourceRow, 'fact'>[]
}

type Source = Omit<SourceRow, 'fact' | 'evidence'>
type SourceBody = FactSource extends infer Each
  ? Each extends FactSource
    ? Omit<Each, 'evidence' | 'trust' | 'at'>
    : never
  : never

/**
 * Stamps trust from what is stored: from the role of a message, from the trust of a fact, from the channel of the caller
 * when nothing else is named. Together they are trusted like the least of them, so nothing gains by being derived.
 */
export function* gatherEvidence(
  draft: KnowledgeEdit,
  given: Pick<ParsedFact, 'sources' | 'validFrom' | 'validTo'>,
  channel: SourceChannel | undefined,
): Asking<Evidence> {
  const id = draft.knowledge.newId()
  const byName = new Map<string, Source>()
  for (const one of given.sources) {
    const source = one.type === 'fact' ? yield* fromFact(draft, one.id) : yield* fromMessage(draft, one)
    byName.set(source.source, source)
  }
  const sources = byName.size === 0 ? [fromCaller(draft, 'told', channel ?? 'user')] : [...byName.values()]
  const levels = sources.map((source) => source.trust)
  const trust = lowestTrust(channel === undefined ? levels : [...levels, TRUST_OF_CHANNEL[channel]])
  const told = toldTime(given)
  return {
    id,
    trust,
    told,
    sources: sources.map((source) => ({ ...source, trust, evidence: id, body: withStatedTime(source.body, told) })),
  }
}

export function fromCaller(
  draft: KnowledgeEdit,
  type: 'told' | 'endorsed',
  channel: SourceChannel,
  reason?: string,
): Source {
  const body = { type, channel, ...defined({ reason }) }
  return sourceRow(draft, `${type === 'told' ? 't' : 'e'}:${channel}`, TRUST_OF_CHANNEL[channel], body)
}

function* fromMessage(draft: KnowledgeEdit, given: MessageName): Asking<Source> {
  const matches = yield* findMessages(draft, given)
  const [first] = matches
  if (first === undefined)
    throw new MemoryError(
      'knowledge/not-found',
      `Cannot remember: source ${quote(given.id)} is not a message of ${quote(draft.scope)} or an ancestor`,
      { message: given.id, session: given.session },
    )
  // Ids are the caller's: two sessions may have the same one. Then it is trusted like the less trusted.
  const trust = lowestTrust(
    matches.map(({ role, body }) => trustOfMessage(isImportedBody(body) ? { role, imported: true } : { role })),
  )
  const { session, role } = first
  return sourceRow(draft, messageReference(session, given.id), trust, { type: 'message', session, id: given.id, role })
}

interface MessageName {
  readonly id: string
  readonly session: string | undefined
}

/** A fork reads messages that are kept in the session it came from: if the named session has none, others are looked at. */
export function* findMessages(
  draft: KnowledgeEdit,
  { id, session }: MessageName,
): Asking<KnowledgeAnswers['messages']> {
  const everywhere = yield* ask({ of: 'messages', scopes: draft.chain, id })
  const named = everywhere.filter((found) => found.session === session)
  return named.length > 0 ? named : everywhere
}

/** Both, since ids are only unique in their session. */
export function messageReference(session: string, id: string): string {
  return `m:${JSON.stringify([session, id])}`
}

function* fromFact(draft: KnowledgeEdit, id: string): Asking<Source> {
  const pending = draft.facts.get(id)
  const [stored] = yield* ask({ of: 'facts', scopes: draft.chain, by: { ids: [id] }, where: ANY, limit: 1 })
  const fact = pending ?? stored
  if (fact === undefined || fact.standing === 'retracted')
    throw new MemoryError(
      'knowledge/not-found',
      `Cannot remember: source ${quote(id)} is ${fact === undefined ? 'unknown' : 'retracted'}, expected a fact of ${quote(draft.scope)} or an ancestor`,
      { fact: id },
    )
  return sourceRow(draft, `f:${id}`, fact.trust, { type: 'fact', id })
}

function sourceRow(draft: KnowledgeEdit, source: string, trust: Trust, body: SourceBody): Source {
  return { source, trust, body: JSON.stringify({ ...body, at: new Date(draft.mark.at).toISOString() }) }
}
