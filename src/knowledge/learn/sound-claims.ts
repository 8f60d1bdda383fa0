import { defined } from '../../domain/defined.ts'
import { MemoryError } from '../../domain/error.ts'
import { type NewFact, type ParsedFact, parseFacts } from '../../domain/new-fact.ts'
import type { Learned } from './lesson.ts'

/** A claim that can be stored, and the fact it is stored as. */
export interface SoundClaim extends Learned {
  readonly fact: ParsedFact
}

/**
 * The claims that can be stored. Each is judged alone: a learner, and most of all a model, may say anything, and one claim that
 * no fact can be made of must not keep a session from being learned from.
 */
export function soundClaims(
  learned: readonly Learned[],
  session: string,
): { readonly sound: readonly SoundClaim[]; readonly unsound: number } {
  const sound = learned.flatMap((claim): readonly SoundClaim[] => {
    const fact = read(factFrom(claim, session))
    return fact === undefined ? [] : [{ ...claim, fact }]
  })
  return { sound, unsound: learned.length - sound.length }
}

function read(fact: NewFact): ParsedFact | undefined {
  try {
    return parseFacts([fact])[0]
  } catch (error) {
    if (MemoryError.is(error, 'input/invalid') || MemoryError.is(error, 'input/too-large')) return undefined
    throw error
  }
}

function factFrom(learned: Learned, session: string): NewFact {
  const { subject, subjectType, predicate, object, objectType, validFrom, validTo, source } = learned
  const details = {
    confidence: learned.confidence,
    sources: [{ message: source.id, session }],
    ...defined({ validFrom, validTo }),
  }
  const about = subjectType === undefined ? subject : { name: subject, type: subjectType }
  if (predicate === 'note') return { ...details, text: object, subject: about }
  // A person's own name is a word, and no second person in the graph.
  const isWord = objectType === undefined || predicate === 'name' || predicate === 'nickname'
  return {
    ...details,
    subject: about,
    predicate,
    object: isWord ? object : { entity: object, type: objectType },
  }
}
