import { parseFacts, parseSource } from '../../domain/new-fact.ts'
import type { NewFact } from '../../domain/new-fact.ts'
import { ask } from '../ask.ts'
import { changeKnowledge } from '../draft.ts'
import type { Knowledge } from '../knowledge.ts'
import { tellFact } from '../remember.ts'
import { takeBack } from '../roll-back.ts'
import type { Learned, Lesson } from './lesson.ts'

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
    for (const fact of parseFacts(lesson.learned.map((learned) => factFrom(learned, lesson.session))))
      yield* tellFact(draft, fact, undefined)
    draft.learned = { session: lesson.key, from: lesson.from, to: lesson.to }
    return true
  })
}

function factFrom(learned: Learned, session: string): NewFact {
  const { subject, subjectType, predicate, object, objectType, source } = learned
  const validTo = learned.validTo ?? (learned.closes === true ? source.at : undefined)
  const details = {
    confidence: learned.confidence,
    sources: [{ message: source.id, session }],
    ...(learned.validFrom === undefined ? {} : { validFrom: learned.validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
  }
  const about = subjectType === undefined ? subject : { name: subject, type: subjectType }
  if (predicate === 'note') return { ...details, text: object, subject: about }
  return {
    ...details,
    subject: about,
    predicate,
    object: objectType === undefined ? object : { entity: object, type: objectType },
  }
}
