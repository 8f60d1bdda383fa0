import { defined } from '../domain/defined.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { checkNames } from './check-names.ts'
import {
  type KnowledgeEdit,
  entityAbove,
  entityOf,
  factOf,
  isSingle,
  nameSpace,
  putEntity,
  putFact,
  factSources,
} from './knowledge-edit.ts'
import { nameKey } from './keys.ts'
import type { EntityBody } from './known-entity.ts'
import type { FactBody, KnownFact } from './known-fact.ts'
import { factsAround } from './move-facts.ts'
import { keysOfEntity } from './names.ts'
import { asClaimed, resettle } from './place-fact.ts'
import type { EntityChange, ProposalBody } from './proposal-body.ts'
import { markRetracted } from './mark-retracted.ts'
import { trustOfSources } from './trust-of-sources.ts'

/**
 * Takes back what a proposal did, and only that: names mean again what they meant, facts are again about what they were
 * about. A fact that was told again, endorsed or retracted since keeps what that did to it.
 */
export function* undoProposal(draft: KnowledgeEdit, body: ProposalBody): Asking<void> {
  yield* checkNames(draft, 'revert a proposal', new Map(body.names.map(({ name, after }) => [name, after])))
  for (const { fact, evidence } of body.sources) draft.dropped.push({ fact, evidence })
  const slots = new Map<string, readonly [subject: string, predicate: string]>()
  for (const { before, after } of body.facts) {
    const now = yield* factOf(draft, before.id)
    if (now === undefined) continue
    yield* undoFact(draft, { before, after, now })
    for (const subject of new Set([before.subject, after.subject]))
      slots.set(JSON.stringify([subject, before.predicate]), [subject, before.predicate])
  }
  for (const { name, before } of body.names) draft.names.set(name, before)
  for (const change of body.entities) yield* undoEntity(draft, change)
  for (const [subject, predicate] of slots.values())
    yield* resettle(draft, subject === '' ? [''] : yield* keysOfEntity(nameSpace(draft), subject), predicate)
}

interface Change {
  readonly before: KnownFact
  readonly after: KnownFact
  readonly now: KnownFact
}

function* undoFact(draft: KnowledgeEdit, change: Change): Asking<void> {
  const { before, now } = change
  const { count } = yield* factSources(draft, now.id)
  const standing = wasJoined(change) ? before.standing : now.standing
  const undone: KnownFact = {
    ...now,
    ...(movedSubject(change) ? { subject: before.subject } : {}),
    ...(movedObject(change) ? { objectKey: before.objectKey, objectEntity: before.objectEntity } : {}),
    standing,
    trust: yield* trustOfSources(draft, now.id),
    body: undoneBody(change),
  }
  if (count === 0 && standing !== 'retracted') markRetracted(draft, undone, 'its source was rolled back', 0)
  else putFact(draft, isSingle(draft, undone.predicate) ? undone : asClaimed(undone))
}

function undoneBody(change: Change): FactBody {
  const { before, after, now } = change
  const { retracted, reason, ...body } = now.body
  const why = reason === after.body.reason ? before.body.reason : reason
  const gained = after.body.tags.filter((tag) => !before.body.tags.includes(tag))
  return {
    ...body,
    subject: movedSubject(change) ? before.body.subject : body.subject,
    object: movedObject(change) ? before.body.object : body.object,
    claim: same(body.claim, after.body.claim) ? before.body.claim : body.claim,
    tags: body.tags.filter((tag) => !gained.includes(tag)),
    ...defined({ reason: why }),
    ...(retracted === undefined || wasJoined(change) ? {} : { retracted }),
  }
}

function movedSubject({ before, after, now }: Change): boolean {
  return before.subject !== after.subject && now.subject === after.subject
}

function movedObject({ before, after, now }: Change): boolean {
  return before.objectEntity !== after.objectEntity && now.objectEntity === after.objectEntity
}

/** Whether it is retracted because the proposal joined it to another, and not since. */
function wasJoined({ before, after, now }: Change): boolean {
  const [then, since] = [after.body.retracted, now.body.retracted]
  if (before.standing === 'retracted' || now.standing !== 'retracted') return false
  return then !== undefined && since !== undefined && same(then, since)
}

function same(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function* undoEntity(draft: KnowledgeEdit, { key, before, after }: EntityChange): Asking<void> {
  const now = yield* entityOf(draft, key)
  if (now === undefined || now.scope !== draft.scope) return
  if (before !== null && before.gone !== true) {
    putEntity(draft, key, after.gone === true ? before : undoneDescription(before, after, now.body))
    return
  }
  const above = yield* entityAbove(draft, key)
  if (above === undefined && (yield* stillAround(draft, key))) {
    // Made by the proposal, but what was said of it since must not lose its name.
    const aliases = now.body.aliases.filter((alias) => !after.aliases.includes(alias))
    putEntity(draft, key, { ...now.body, aliases })
    draft.names.set(key, key)
  } else if (before === null) draft.entities.set(key, null)
  else putEntity(draft, key, before)
}

function* stillAround(draft: KnowledgeEdit, key: string): Asking<boolean> {
  const facts = (yield* factsAround(draft, [key])).map((fact) => draft.facts.get(fact.id) ?? fact)
  return facts.some(({ subject, objectEntity }) => subject === key || objectEntity === key)
}

function undoneDescription(before: EntityBody, after: EntityBody, now: EntityBody): EntityBody {
  const gained = new Set(after.aliases.filter((alias) => !before.aliases.includes(alias)).map(nameKey))
  const back = before.aliases.filter((alias) => now.aliases.includes(alias) || !after.aliases.includes(alias))
  const since = now.aliases.filter((alias) => !gained.has(nameKey(alias)) && !before.aliases.includes(alias))
  return { ...now, type: now.type === after.type ? before.type : now.type, aliases: [...back, ...since] }
}
