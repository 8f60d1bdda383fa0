import type { FactObject } from '../domain/fact.ts'
import { NOTE } from '../domain/new-fact.ts'

/** A fact as a sentence. */
export function factText(subject: string | null, predicate: string, object: FactObject): string {
  const said = objectText(object)
  if (subject === null) return said
  return predicate === NOTE ? `${subject}: ${said}` : `${subject} ${predicate.replaceAll('_', ' ')} ${said}`
}

/** An object in words. */
export function objectText(object: FactObject): string {
  if (typeof object !== 'object') return String(object)
  if ('entity' in object) return object.entity
  return 'date' in object ? object.date : JSON.stringify(object.json)
}
