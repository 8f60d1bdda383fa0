import { isPlainObject } from '../domain/check-json.ts'

/** Exporters cut what is longer, or drop the span. */
const CONTENT_CHARACTERS_MAX = 32_768
const LISTS = ['messages', 'facts', 'items'] as const

interface SpanRecord {
  readonly id: string
  readonly content: unknown
  readonly score?: number
}

/** What the GenAI memory conventions have of records: their number and id always, what they say only where it is wanted. */
export function recordAttributes(
  body: unknown,
  value: unknown,
  content: boolean,
): Readonly<Record<string, string | number>> {
  const records = recordsOf(value)
  const [only, ...more] = records
  const query = isPlainObject(body) && typeof body['query'] === 'string' ? body['query'] : undefined
  return {
    ...(records.length === 0 && query === undefined ? {} : { 'gen_ai.memory.record.count': records.length }),
    ...(only !== undefined && more.length === 0 ? { 'gen_ai.memory.record.id': only.id } : {}),
    ...(content && query !== undefined ? { 'gen_ai.memory.query.text': query.slice(0, CONTENT_CHARACTERS_MAX) } : {}),
    ...(content && records.length > 0 ? { 'gen_ai.memory.records': asText(records) } : {}),
  }
}

function recordsOf(value: unknown): readonly SpanRecord[] {
  if (!isPlainObject(value)) return []
  const list = LISTS.map((name) => value[name]).find(Array.isArray) as readonly unknown[] | undefined
  return (list ?? [value]).filter(isPlainObject).flatMap((item) => {
    const source = isPlainObject(item['source']) ? item['source'] : {}
    const id = item['id'] ?? source['id']
    if (typeof id !== 'string') return []
    const score = typeof item['score'] === 'number' ? { score: item['score'] } : {}
    return [{ id, content: item['text'] ?? item['parts'] ?? null, ...score }]
  })
}

/** Whole records, as many as fit: half of one is not JSON. */
function asText(records: readonly SpanRecord[]): string {
  const kept: string[] = []
  let length = 0
  for (const record of records) {
    const text = JSON.stringify(record)
    length += text.length + 1
    if (length > CONTENT_CHARACTERS_MAX) break
    kept.push(text)
  }
  return `[${kept.join(',')}]`
}
