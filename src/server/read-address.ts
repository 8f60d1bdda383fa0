import type { Context as HonoContext } from 'hono'
import { fromSegment } from '../wire/segment.ts'
import { parseJson } from './read-body.ts'

/** The names in the path of a request. */
export function namesOf(path: string, context: HonoContext): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, fromSegment(context.req.param(name) ?? '')]))
}

/** Text as it stands, other values as JSON; what is not JSON stays text, and the library says what it wants instead. */
export function parseQuery(url: string, text: readonly string[]): Readonly<Record<string, unknown>> {
  const at = url.indexOf('?')
  if (at < 0) return {}
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(url.slice(at))) if (!values.has(name)) values.set(name, value)
  return Object.fromEntries([...values].map(([name, value]) => [name, text.includes(name) ? value : jsonOr(value)]))
}

function jsonOr(value: string): unknown {
  try {
    return parseJson(new TextEncoder().encode(value), { bodyBytesMax: 65_536, depthMax: 16, fieldsMax: 1_000 })
  } catch {
    return value
  }
}
