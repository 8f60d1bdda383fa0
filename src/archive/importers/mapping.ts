import { defined } from '../../domain/defined.ts'
import type { FactMapping, ImportLocation, MappedValue, Mapping } from '../../api/imports.ts'
import { arrayOf, isArray, isObject, toJSON } from '../../dialects/canonical/json.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { NewFact } from '../../domain/new-fact.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { strings, timeOf } from './values.ts'

/** Reads any JSON by what its owner says of it. */
export function mappedFormat(mapping: Mapping): Format {
  return {
    name: 'mem0',
    knows: () => true,
    open: () => ({ take: (record, place) => read(mapping, record as JSONValue, place), end: () => nothing }),
  }
}

function* read({ facts }: Mapping, record: JSONValue, place: ImportLocation): Generator<ImportedItem, undefined> {
  let found = 0
  for (const fact of facts) {
    const items = valueAt(record, fact.each ?? '')
    for (const item of isArray(items) ? items : items === undefined || items === null ? [] : [items]) {
      const made = factOf(fact, item, record)
      if (made === undefined) continue
      found += 1
      yield { type: 'fact', fact: made, place }
    }
  }
  if (found === 0) yield skip(place, 'no-content', 'nothing that the mapping names')
}

function factOf(mapping: FactMapping, item: JSONValue, record: JSONValue): NewFact | undefined {
  const value = (of: MappedValue | undefined): JSONValue | undefined =>
    of === undefined || typeof of === 'string' ? of : 'at' in of ? valueAt(item, of.at) : valueAt(record, of.inRecord)
  const [text, subject, predicate] = [mapping.text, mapping.subject, mapping.predicate].map((of) => said(value(of)))
  const tags = value(mapping.tags)
  const [validFrom, validTo] = [timeOf(value(mapping.validFrom)), timeOf(value(mapping.validTo))]
  const details = {
    ...(tags === undefined ? {} : { tags: strings(isArray(tags) ? tags : [tags]).filter((tag) => tag !== '') }),
    ...defined({ validFrom, validTo }),
  }
  if (text !== undefined) return { text, ...defined({ subject }), ...details }
  const object = objectOf(mapping.object, value)
  return subject === undefined || predicate === undefined || object === undefined
    ? undefined
    : { subject, predicate, object, ...details }
}

type TripleObject = Extract<Exclude<NewFact, string>, { readonly predicate: string }>['object']

function objectOf(
  of: FactMapping['object'],
  value: (of: MappedValue | undefined) => JSONValue | undefined,
): TripleObject | undefined {
  if (typeof of === 'object' && 'entity' in of) {
    const entity = said(value(of.entity))
    return entity === undefined ? undefined : { entity }
  }
  const found = value(of)
  if (typeof found === 'number' || typeof found === 'boolean') return found
  return said(found) ?? (isArray(found) || isObject(found) ? { json: found } : undefined)
}

/** As text; of lists and objects, as they are written. */
function said(value: JSONValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? toJSON(value) : undefined
}

/** RFC 6901, by own keys only. */
function valueAt(value: JSONValue, pointer: string): JSONValue | undefined {
  let found: JSONValue | undefined = value
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isArray(found)) found = /^(?:0|[1-9]\d*)$/.test(key) ? arrayOf(found)[Number(key)] : undefined
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}
