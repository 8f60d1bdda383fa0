import { type ParsedFact, parseSource } from '../../domain/new-fact.ts'
import type { Asking } from '../../ports/knowledge-store.ts'
import { ask } from '../ask.ts'
import { gatherEvidence } from '../evidence.ts'
import { closeFact, closeOthers } from '../close-fact.ts'
import { type KnowledgeEdit, changeKnowledge } from '../knowledge-edit.ts'
import type { Knowledge } from '../knowledge.ts'
import { stateFact } from '../remember.ts'
import { takeBack } from '../roll-back.ts'
import { USER } from '../user.ts'
import { adoptName } from '../users-name.ts'
import type { Lesson } from './lesson.ts'
import type { SoundClaim } from './sound-claims.ts'

/**
 * Stores what a lesson says and moves the session's cursor, in one transaction: both or none, once. Each fact has the
 * message as its source and is trusted like it. Answers false, and stores nothing, if somebody else was first.
 */
export function teach(knowledge: Knowledge, lesson: Lesson): Promise<boolean> {
  return changeKnowledge(knowledge, lesson.scope, function* decide(draft) {
    const cursor = yield* ask({ of: 'learned', session: lesson.key })
    if (cursor.version !== lesson.from) return false
    for (const id of lesson.revised)
      yield* takeBack(draft, parseSource('learn', 'message', { message: id, session: lesson.session }))
    const there: SoundClaim[] = []
    for (const claim of lesson.learned) if (yield* isThere(lesson, claim)) there.push(claim)
    // First, so that what the same lesson says of that name is said of the user.
    for (const claim of there) if (isIntroduction(claim)) yield* introduce(draft, claim)
    for (const claim of there) yield* take(draft, claim)
    draft.learned = { session: lesson.key, from: lesson.from, to: lesson.to }
    return true
  })
}

/**
 * Whether its message still is: learners take their time, and what is forgotten meanwhile teaches nothing. Another session may have
 * one of the same id, which never said this. What a fork shares is its parent's, and looked for where it is stored.
 */
function* isThere({ scope, session, ownFrom }: Lesson, { source }: SoundClaim): Asking<boolean> {
  const found = yield* ask({ of: 'messages', scopes: [scope], id: source.id })
  return source.seq < ownFrom ? found.length > 0 : found.some((message) => message.session === session)
}

/** `My name is Ada`, from the user's own mouth. */
function isIntroduction({ subject, predicate, closes, source }: SoundClaim): boolean {
  return source.role === 'user' && subject === USER && predicate === 'name' && closes !== true
}

function* introduce(draft: KnowledgeEdit, { fact, object }: SoundClaim): Asking<void> {
  // An imported message is nobody's word yet.
  if ((yield* gatherEvidence(draft, fact, undefined)).trust > 0) yield* adoptName(draft, object)
}

/** What excludes what, of the same thing: who says the one has ceased to mean the other. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['likes', 'dislikes'],
  ['dislikes', 'likes'],
  ['uses', 'does_not_use'],
  ['does_not_use', 'uses'],
])

function* take(draft: KnowledgeEdit, { fact, closes, replaces, source }: SoundClaim): Asking<void> {
  const saidAt = Date.parse(source.at)
  const over = closes === true || (fact.validTo !== null && fact.validTo <= saidAt)
  // A past with both its ends told is a fact of its own. Of any other past it is only known that it is over.
  if (over && (fact.validFrom === null || fact.validTo === null)) {
    const ending = fact.validTo === null ? { at: saidAt, told: false } : { at: fact.validTo, told: true }
    yield* closeFact(draft, fact, ending)
    return
  }
  const opposite = OPPOSITES.get(fact.predicate)
  if (opposite !== undefined && !over)
    yield* closeFact(draft, { ...fact, predicate: opposite }, { at: saidAt, told: false })
  if (replaces === true && !over) yield* replace(draft, fact, saidAt)
  else yield* stateFact(draft, fact, undefined)
}

/** Ends what was so before. Without a date, the new value began when it was said, if there was another at all. */
function* replace(draft: KnowledgeEdit, fact: ParsedFact, saidAt: number): Asking<void> {
  const { validFrom } = fact
  const closed = yield* closeOthers(draft, fact, { at: validFrom ?? saidAt, told: validFrom !== null })
  const began = validFrom === null && closed.length > 0 ? saidAt : validFrom
  yield* stateFact(draft, { ...fact, validFrom: began }, undefined)
}
