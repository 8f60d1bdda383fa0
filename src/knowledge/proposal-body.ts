import type { Asking, SourceRow } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { checkUnchanged } from './check-expected.ts'
import { ANY, type KnowledgeEdit } from './knowledge-edit.ts'
import type { EntityBody } from './known-entity.ts'
import { type KnownFact, readFact } from './known-fact.ts'
import { checkNames } from './check-names.ts'

export interface EntityChange {
  readonly key: string
  /** Revision 0: there is none in this scope. */
  readonly revision: number
  readonly before: EntityBody | null
  readonly after: EntityBody
}

export interface NameChange {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** What a proposal would write or has written, and what was there: enough to show it and to take it back. */
export interface ProposalBody {
  readonly reason: string
  /** The suggestion as JSON. The same for the same suggestion: nobody is asked twice. */
  readonly about: string
  readonly facts: readonly { readonly before: KnownFact; readonly after: KnownFact }[]
  readonly entities: readonly EntityChange[]
  readonly names: readonly NameChange[]
  readonly sources: readonly SourceRow[]
}

/** The facts and entities that it is about: forgetting one of them also forgets the proposal. */
export function proposalParts(body: ProposalBody): readonly string[] {
  return [...body.facts.map(({ before }) => before.id), ...body.entities.map(({ key }) => key)]
}

/** What a draft would change. */
export function* difference(draft: KnowledgeEdit, reason: string, about: string): Asking<ProposalBody> {
  const ids = [...draft.facts.keys()]
  const rows = yield* ask({ of: 'facts', scopes: [draft.scope], by: { ids }, where: ANY, limit: ids.length + 1 })
  const keys = [...draft.entities.keys()]
  const entities = new Map((yield* ask({ of: 'entities', scopes: [draft.scope], keys })).map((row) => [row.key, row]))
  const names = new Map(
    (yield* ask({ of: 'names', scopes: [draft.scope], names: [...draft.names.keys()] })).map((row) => [
      row.name,
      row.entity,
    ]),
  )
  return {
    reason,
    about,
    facts: rows.map(readFact).flatMap((before) => {
      const after = draft.facts.get(before.id)
      return after === undefined ? [] : [{ before, after }]
    }),
    entities: [...draft.entities.values()].flatMap((entity) => {
      if (entity === null) return []
      const row = entities.get(entity.key)
      const before = row === undefined ? null : (JSON.parse(row.body) as EntityBody)
      return [{ key: entity.key, revision: row?.revision ?? 0, before, after: entity.body }]
    }),
    names: [...draft.names].map(([name, after]) => ({ name, before: names.get(name) ?? null, after })),
    sources: draft.sources,
  }
}

/** What was changed meanwhile was changed by somebody who did not see this. */
export function* checkUntouched(draft: KnowledgeEdit, body: ProposalBody): Asking<void> {
  const attempt = 'apply a proposal'
  const ids = body.facts.map(({ before }) => before.id)
  const rows = yield* ask({ of: 'facts', scopes: [draft.scope], by: { ids }, where: ANY, limit: ids.length + 1 })
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  for (const { before } of body.facts)
    yield* checkUnchanged(draft, attempt, before.revision, { revision: revisions.get(before.id) ?? 0, id: before.id })
  const keys = body.entities.map(({ key }) => key)
  const entities = yield* ask({ of: 'entities', scopes: [draft.scope], keys })
  const found = new Map(entities.map(({ key, revision }) => [key, revision]))
  for (const { key, revision } of body.entities)
    yield* checkUnchanged(draft, attempt, revision, { revision: found.get(key) ?? 0 })
  yield* checkNames(draft, attempt, new Map(body.names.map(({ name, before }) => [name, before])))
}
