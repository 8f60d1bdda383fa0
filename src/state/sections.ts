import type { Task } from '../api/state.ts'
import { refuse } from '../domain/refuse.ts'
import { documentSections } from '../surface/document-shapes.ts'

/**
 * Accepts a value for a key of the state. Keys that are sections of the session's document have the shape that the document
 * needs; tool statistics are counted from the log; all other keys are the caller's own.
 */
export function checkSection(attempt: string, key: string, value: unknown): void {
  if (key === 'tool_stats') refuse(attempt, 'key', key, 'another key: tools are counted from the log')
  documentSections.get(key)?.check(attempt, key, value)
  if (key !== 'active_tasks') return
  const ids = new Set<string>()
  for (const [index, { id }] of (value as readonly Task[]).entries()) {
    if (ids.has(id)) refuse(attempt, `active_tasks[${index}].id`, id, 'an id that no other task has')
    ids.add(id)
  }
}

/** Whether a key is a section of the document. Components may not use it. */
export function isSection(key: string): boolean {
  return key === 'tool_stats' || documentSections.has(key)
}
