import { arrayOf, isArray, isObject, toJSON } from '../../dialects/canonical/json.ts'
import { isPlainObject } from '../../domain/check-json.ts'
import { checkOptions } from '../../domain/check-options.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { NewFact } from '../../domain/new-fact.ts'
import { refuse } from '../../domain/refuse.ts'
import { type ImportedItem, type ImportLocation, skip } from './imported-item.ts'
import { type Format, nothing } from './format.ts'
import { strings, timeOf } from './values.ts'

/** The same for every fact, or where it stands: a JSON pointer into the item, or into the record that the item is of. */
export type MappedValue = string | { readonly at: string } | { readonly inRecord: string }

/** How items of a record become facts: a text, or subject, predicate and object. What an item has not is left out. */
export interface FactMapping {
  /** A JSON pointer to the items: a list, or one. @default the record itself */
  readonly each?: string
  readonly text?: MappedValue
  readonly subject?: MappedValue
  readonly predicate?: MappedValue
  /** `entity` makes an edge of the graph of it. */
  readonly object?: MappedValue | { readonly entity: MappedValue }
  readonly tags?: MappedValue
  readonly validFrom?: MappedValue
  readonly validTo?: MappedValue
}

/** What the fields of a dump mean whose shape its owner chose, as exports of Mem0 are. */
export interface Mapping {
  readonly facts: readonly FactMapping[]
}

const ATTEMPT = 'import'
const VALUES = ['text', 'subject', 'predicate', 'tags', 'validFrom', 'validTo'] as const

export function checkMapping(mapping: unknown): asserts mapping is Mapping {
  if (!isPlainObject(mapping)) refuse(ATTEMPT, 'mapping', mapping, 'an object with a list of facts')
  checkOptions(`${ATTEMPT}: mapping`, mapping, ['facts'], 'field')
  const { facts } = mapping
  if (!Array.isArray(facts) || facts.length === 0)
    refuse(ATTEMPT, 'mapping.facts', facts, 'a list with at least one mapping')
  for (const [index, fact] of facts.entries()) checkFact(`mapping.facts[${index}]`, fact)
}

function checkFact(path: string, fact: unknown): void {
  if (!isPlainObject(fact)) refuse(ATTEMPT, path, fact, 'an object')
  checkOptions(`${ATTEMPT}: ${path}`, fact, ['each', 'object', ...VALUES], 'field')
  if (fact['each'] !== undefined) checkPointer(`${path}.each`, fact['each'])
  for (const name of VALUES) checkValue(`${path}.${name}`, fact[name])
  const { text, predicate, object } = fact
  if (isPlainObject(object) && 'entity' in object) checkValue(`${path}.object.entity`, object['entity'])
  else checkValue(`${path}.object`, object)
  const isTriple = fact['subject'] !== undefined && predicate !== undefined && object !== undefined
  if ((text === undefined) !== isTriple || (text !== undefined && (predicate !== undefined || object !== undefined)))
    refuse(ATTEMPT, path, fact, 'a text, or a subject with a predicate and an object')
}

function checkValue(path: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return
  if (!isPlainObject(value) || Object.keys(value).length !== 1)
    refuse(ATTEMPT, path, value, 'a text, { "at": pointer } or { "inRecord": pointer }')
  checkOptions(`${ATTEMPT}: ${path}`, value, ['at', 'inRecord'], 'field')
  checkPointer(path, value['at'] ?? value['inRecord'])
}

function checkPointer(path: string, value: unknown): void {
  if (typeof value !== 'string' || !/^(?:\/(?:[^/~]|~[01])*)*$/.test(value))
    refuse(ATTEMPT, path, value, 'a JSON pointer, as "/profile/skills", or "" for the whole')
}

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
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
  }
  if (text !== undefined) return { text, ...(subject === undefined ? {} : { subject }), ...details }
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
