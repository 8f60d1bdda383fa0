import { defined } from '../../domain/defined.ts'
import type { ImportLocation } from '../../api/imports.ts'
import { arrayOf, field, isArray, isObject } from '../../dialects/canonical/json.ts'
import type { JSONValue } from '../../domain/json.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { filled, strings } from './values.ts'

/** The file of the reference MCP memory server: entities with observations, and relations between them. */
export const mcpMemory: Format = {
  name: 'mcp-memory',
  knows: (record) =>
    (field(record, 'type') === 'entity' && typeof field(record, 'name') === 'string') ||
    (field(record, 'type') === 'relation' && typeof field(record, 'relationType') === 'string') ||
    (isArray(field(record, 'entities')) && isArray(field(record, 'relations'))),
  open: () => ({ take: read, end: () => nothing }),
}

function* read(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
  const entities = field(record, 'entities')
  // What `read_graph` answers.
  if (isArray(entities)) {
    for (const one of entities) yield* entity(one, place)
    for (const one of arrayOf(field(record, 'relations'))) yield* relation(one, place)
  } else if (field(record, 'type') === 'entity') yield* entity(record as JSONValue, place)
  else if (field(record, 'type') === 'relation') yield* relation(record as JSONValue, place)
  else yield skip(place, isObject(record) ? 'not-a-message' : 'wrong-type', 'neither an entity nor a relation')
}

function* entity(record: JSONValue, place: ImportLocation): Generator<ImportedItem, undefined> {
  const name = filled(field(record, 'name'))
  if (name === undefined) {
    yield skip(place, 'wrong-type', 'an entity without a name')
    return
  }
  const type = filled(field(record, 'entityType'))
  const subject = { name, ...defined({ type }) }
  const there = { ...place, id: name }
  const observations = strings(field(record, 'observations'))
  // An entity of which nothing was observed is still known to be what it is.
  if (observations.length === 0 && type !== undefined)
    yield { type: 'fact', fact: { subject, predicate: 'is_a', object: type }, place: there }
  else if (observations.length === 0) yield skip(there, 'no-content', 'an entity without observations')
  for (const text of observations) yield { type: 'fact', fact: { subject, text }, place: there }
}

function* relation(record: JSONValue, place: ImportLocation): Generator<ImportedItem, undefined> {
  const [from, to, type] = ['from', 'to', 'relationType'].map((key) => filled(field(record, key)))
  if (from === undefined || to === undefined || type === undefined)
    yield skip(place, 'wrong-type', 'a relation without from, to or relationType')
  else yield { type: 'fact', fact: { subject: from, predicate: type, object: { entity: to } }, place }
}
