import { MemoryError } from '../domain/error.ts'
import type { Asking, FactQuery } from '../ports/knowledge-store.ts'
import { ask } from './ask.ts'
import { ANY, type KnowledgeEdit, nameSpace, putFact } from './knowledge-edit.ts'
import { combineSame } from './combine.ts'
import { objectKey } from './keys.ts'
import { type KnownFact, readFact } from './known-fact.ts'
import { keysOfEntity } from './names.ts'
import { resettle } from './place-fact.ts'

/** A proposal shows every fact it changes: beyond this nobody reads it. */
const FACTS_MOVED_MAX = 10_000

export interface Target {
  readonly key: string
  readonly name: string
  readonly type: string | null
}

/** All facts of the own scope that are about some entities or point at them. */
export function* factsAround(draft: KnowledgeEdit, keys: readonly string[]): Asking<readonly KnownFact[]> {
  const read = (by: FactQuery['by']): Asking<readonly Parameters<typeof readFact>[0][]> =>
    ask({ of: 'facts', scopes: [draft.scope], by, where: ANY, limit: FACTS_MOVED_MAX + 1 })
  const rows = [...(yield* read({ subjects: keys })), ...(yield* read({ entities: keys }))]
  const facts = new Map(rows.map((row) => [row.id, readFact(row)]))
  if (facts.size > FACTS_MOVED_MAX)
    throw new MemoryError(
      'input/too-large',
      `Cannot propose: it would change more than ${FACTS_MOVED_MAX} facts, expected at most that many`,
      { max: FACTS_MOVED_MAX },
    )
  return [...facts.values()]
}

/** Says of one entity what was said of others; facts that are then the same become one, and single values are settled again. */
export function* moveFacts(
  draft: KnowledgeEdit,
  facts: readonly KnownFact[],
  from: readonly string[],
  to: Target,
): Asking<void> {
  const slots = new Map<string, readonly [subject: string, predicate: string]>()
  const moved: KnownFact[] = []
  for (const fact of facts) {
    const next = pointTo(fact, from, to)
    moved.push(putFact(draft, next))
    for (const subject of [fact.subject, next.subject])
      slots.set(JSON.stringify([subject, fact.predicate]), [subject, fact.predicate])
  }
  for (const { id, subject } of moved) yield* combineSame(draft, id, yield* keysOfEntity(nameSpace(draft), subject))
  for (const [subject, predicate] of slots.values())
    yield* resettle(draft, yield* keysOfEntity(nameSpace(draft), subject), predicate)
}

function pointTo(fact: KnownFact, from: readonly string[], to: Target): KnownFact {
  const subject = from.includes(fact.subject)
  const object = fact.objectEntity !== null && from.includes(fact.objectEntity)
  const value = { entity: to.name, ...(to.type === null ? {} : { type: to.type }) }
  return {
    ...fact,
    ...(subject ? { subject: to.key } : {}),
    ...(object ? { objectEntity: to.key, objectKey: objectKey(value, to.key) } : {}),
    body: { ...fact.body, ...(subject ? { subject: to.name } : {}), ...(object ? { object: value } : {}) },
  }
}
