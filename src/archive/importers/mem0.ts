import { defined } from '../../domain/defined.ts'
import type { ImportLocation } from '../../api/imports.ts'
import { arrayOf, field, isArray, isObject } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { filled, strings, timeOf } from './values.ts'

const LISTS = ['results', 'memories'] as const
const SIGNS = ['user_id', 'agent_id', 'app_id', 'run_id', 'session_id', 'categories', 'hash', 'created_at', 'metadata']

/** Memories of Mem0: pages of `getAll`, bare lists, with relations where the graph was on. */
export const mem0: Format = {
  name: 'mem0',
  knows: (record) => isMemory(record) || memoriesOf(record)?.some(isMemory) === true,
  open: () => ({ take: read, end: () => nothing }),
}

function memoriesOf(record: unknown): readonly JSONValue[] | undefined {
  for (const name of LISTS) {
    const list = field(record, name)
    if (isArray(list)) return list
  }
  return undefined
}

function isMemory(record: unknown): boolean {
  return (
    isObject(record) &&
    typeof record['memory'] === 'string' &&
    SIGNS.some((name) => fieldOf(record, name) !== undefined)
  )
}

/** A field by its name in Mem0's interface. Its client for JavaScript returns `user_id` as `userId`. */
function fieldOf(record: unknown, name: string): JSONValue | undefined {
  const inJavaScript = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return field(record, isObject(record) && name in record ? name : inJavaScript)
}

function* read(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  const memories = memoriesOf(record)
  if (memories === undefined) {
    yield* memory(record, place)
    return
  }
  for (const one of memories) yield* memory(one, place)
  for (const one of arrayOf(field(record, 'relations'))) yield* relation(one, place)
}

function* memory(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  const id = filled(field(record, 'id'))
  const there = { ...place, ...defined({ id }) }
  if (typeof fieldOf(record, 'memory_id') === 'string' && typeof field(record, 'event') === 'string') {
    yield skip(there, 'not-a-message', 'an earlier version of a memory')
    return
  }
  const text = filled(field(record, 'memory'))
  if (!isObject(record) || text === undefined) {
    yield skip(there, 'wrong-type', 'not a memory: expected an object with a text under memory')
    return
  }
  const user = filled(fieldOf(record, 'user_id'))
  const subject = user ?? filled(fieldOf(record, 'agent_id'))
  const tags = strings(record['categories'])
  yield {
    type: 'fact',
    fact: {
      text,
      ...defined({ subject }),
      ...(tags.length === 0 ? {} : { tags }),
      ...validity(record),
    },
    place: there,
    ...defined({ user }),
  }
}

/** Only an end is told: when a memory was written says nothing of since when it is true. */
function validity(record: JSONObject): { readonly validTo?: string } {
  const validTo = timeOf(fieldOf(record, 'expiration_date'))
  return defined({ validTo })
}

function* relation(record: JSONValue, place: ImportLocation): Generator<ImportedItem, undefined> {
  const from = filled(field(record, 'source'))
  const to = filled(field(record, 'destination')) ?? filled(field(record, 'target'))
  const type = filled(field(record, 'relationship')) ?? filled(field(record, 'relation'))
  if (from === undefined || to === undefined || type === undefined)
    yield skip(place, 'wrong-type', 'a relation without source, relationship or destination')
  else yield { type: 'fact', fact: { subject: from, predicate: type, object: { entity: to } }, place }
}
