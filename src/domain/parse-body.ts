import { isPlainObject } from './check-json.ts'
import { type PartContext, parsePart } from './parse-part.ts'
import type { Part } from './part.ts'
import { refuse } from './refuse.ts'

/** `parts`, or `content` in any of its shorthands. */
export function parseBody(value: Record<string, unknown>, context: PartContext): Part[] {
  const key = value['parts'] === undefined ? 'content' : 'parts'
  const content = value[key]
  if (content === undefined || content === null) return []
  if (typeof content === 'string' && key === 'content') return content === '' ? [] : [{ type: 'text', text: content }]
  if (isPlainObject(content) && key === 'content')
    return [parsePart({ type: 'data', data: content }, { ...context, path: `${context.path}.content` })]
  if (!Array.isArray(content) && key === 'content')
    refuse(context.attempt, `${context.path}.content`, content, 'text, a list of parts, or an object')
  return listField(content, key, context).map((part, index) =>
    parsePart(part, { ...context, path: `${context.path}.${key}[${index}]` }),
  )
}

export function listField(value: unknown, key: string, context: PartContext): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) refuse(context.attempt, `${context.path}.${key}`, value, 'an array')
  return value
}
