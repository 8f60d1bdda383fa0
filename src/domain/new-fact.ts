import { checkJSON, isPlainObject } from './check-json.ts'
import { checkOptions } from './check-options.ts'
import { copyPlain } from './copy-plain.ts'
import { MemoryError } from './error.ts'
import type { FactObject } from './fact.ts'
import type { JSONValue } from './json.ts'
import { parseTime } from './moment.ts'
import { checkId } from './names.ts'
import { normalForm, normalPredicate } from './normal-form.ts'
import { refuse } from './refuse.ts'

const NAME_CHARACTERS_MAX = 512
const TEXT_CHARACTERS_MAX = 32_768
const PREDICATE_CHARACTERS_MAX = 128
const LIST_MAX = 64
/** A bound, not a tuning knob: past it, one call could hold the write lock for seconds. */
const FACTS_PER_CALL_MAX = 1_000

/** The predicate of a fact that is only a sentence. */
export const NOTE = 'note'

type Time = Date | string | number

export interface EntityInput {
  readonly name: string
  readonly type?: string
  readonly aliases?: readonly string[]
}

/** A message of this scope or an ancestor, or another fact. The session tells apart messages that share an id. */
export type SourceInput = string | { readonly message: string; readonly session?: string } | { readonly fact: string }

interface FactDetails {
  readonly validFrom?: Time
  readonly validTo?: Time
  /** From 0 to 1. */
  readonly confidence?: number
  readonly tags?: readonly string[]
  /** What it was learned from. Without any, it counts as told by the caller. */
  readonly sources?: readonly SourceInput[]
  /**
   * Store only if the current value still has this `revision`: of the subject and predicate when the predicate holds one
   * value, otherwise of this very fact. 0 means that there must be none.
   */
  readonly expect?: number
  /** Leave other values as they are, even where the predicate holds one value at a time. @default false */
  readonly alongside?: boolean
}

export type NewFact =
  | string
  | (FactDetails & {
      readonly subject: string | EntityInput
      readonly predicate: string
      readonly object:
        | string
        | number
        | boolean
        | { readonly date: Time }
        | Exclude<FactObject, { readonly date: string }>
    })
  | (FactDetails & { readonly text: string; readonly subject?: string | EntityInput })

export type ParsedSource =
  | { readonly type: 'message'; readonly id: string; readonly session: string | undefined }
  | { readonly type: 'fact'; readonly id: string }

/** A fact as given, checked and copied. */
export interface ParsedFact {
  readonly subject: EntityInput | null
  readonly predicate: string
  readonly object: FactObject
  readonly validFrom: number | null
  readonly validTo: number | null
  readonly confidence: number | null
  readonly tags: readonly string[]
  readonly sources: readonly ParsedSource[]
  readonly expect: number | undefined
  readonly alongside: boolean
}

const attempt = 'remember'
const details = ['validFrom', 'validTo', 'confidence', 'tags', 'sources', 'expect', 'alongside'] as const

export function parseFacts(given: unknown): readonly ParsedFact[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (list.length > FACTS_PER_CALL_MAX)
    throw new MemoryError(
      'input/too-large',
      `Cannot remember ${list.length} facts: expected at most ${FACTS_PER_CALL_MAX} per call`,
      { received: list.length, max: FACTS_PER_CALL_MAX },
    )
  return list.map((fact, index) => parseFact(fact, Array.isArray(given) ? `facts[${index}]` : 'fact'))
}

function parseFact(given: unknown, path: string): ParsedFact {
  if (typeof given === 'string') return parseFact({ text: given }, path)
  if (!isPlainObject(given)) refuse(attempt, path, given, 'a sentence, { text } or { subject, predicate, object }')
  const free = 'text' in given
  checkOptions(
    attempt,
    given,
    free ? ['text', 'subject', ...details] : ['subject', 'predicate', 'object', ...details],
    'field',
  )
  const from = timeOrNull(`${path}.validFrom`, given['validFrom'])
  const to = timeOrNull(`${path}.validTo`, given['validTo'])
  if (from !== null && to !== null && from >= to)
    refuse(attempt, `${path}.validTo`, given['validTo'], 'a time after validFrom')
  return {
    subject: free && given['subject'] === undefined ? null : parseEntity(attempt, `${path}.subject`, given['subject']),
    predicate: free ? NOTE : parsePredicate(attempt, `${path}.predicate`, given['predicate']),
    object: free ? sentence(`${path}.text`, given['text']) : parseObject(`${path}.object`, given['object']),
    validFrom: from,
    validTo: to,
    confidence: parseConfidence(`${path}.confidence`, given['confidence']),
    tags: parseTags(`${path}.tags`, given['tags']),
    sources: parseSources(`${path}.sources`, given['sources']),
    expect: parseExpect(attempt, `${path}.expect`, given['expect']),
    alongside: parseFlag(`${path}.alongside`, given['alongside']),
  }
}

export function parsePredicate(action: string, path: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > PREDICATE_CHARACTERS_MAX || !value.isWellFormed())
    refuse(action, path, value, `a string of up to ${PREDICATE_CHARACTERS_MAX} characters`)
  const name = normalPredicate(value)
  if (name === '') refuse(action, path, value, 'a string with at least one letter or digit')
  return name
}

export function parseName(action: string, path: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > NAME_CHARACTERS_MAX || normalForm(value) === '')
    refuse(action, path, value, `a name of 1 to ${NAME_CHARACTERS_MAX} characters`)
  return value
}

export function parseEntity(action: string, path: string, value: unknown): EntityInput {
  if (typeof value === 'string') return { name: parseName(action, path, value) }
  if (!isPlainObject(value)) refuse(action, path, value, 'a name or { name, type, aliases }')
  checkOptions(action, value, ['name', 'type', 'aliases'], 'field')
  const { name, type, aliases } = value
  if (aliases !== undefined && (!Array.isArray(aliases) || aliases.length > LIST_MAX))
    refuse(action, `${path}.aliases`, aliases, `an array of at most ${LIST_MAX} names`)
  return {
    name: parseName(action, `${path}.name`, name),
    ...(type === undefined ? {} : { type: parseName(action, `${path}.type`, type) }),
    ...(aliases === undefined
      ? {}
      : { aliases: aliases.map((alias, index) => parseName(action, `${path}.aliases[${index}]`, alias)) }),
  }
}

/** The object of a fact, or of a question for facts. */
export function parseObject(path: string, value: unknown, action: string = attempt): FactObject {
  if (typeof value === 'string') return sentence(path, value, action)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(action, path, value, 'a finite number')
    return value
  }
  if (value instanceof Date) return { date: new Date(parseTime(action, path, value)).toISOString() }
  if (!isPlainObject(value)) refuse(action, path, value, objectWanted)
  if ('date' in value) {
    checkOptions(action, value, ['date'], 'field')
    return { date: dateText(action, `${path}.date`, value['date']) }
  }
  if ('json' in value) {
    checkOptions(action, value, ['json'], 'field')
    checkJSON(action, `${path}.json`, value['json'])
    const json = JSON.stringify(value['json'])
    if (json.length > TEXT_CHARACTERS_MAX)
      refuse(action, `${path}.json`, value['json'], `JSON of at most ${TEXT_CHARACTERS_MAX} characters`)
    return { json: copyPlain(JSON.parse(json)) as JSONValue }
  }
  if (!('entity' in value)) refuse(action, path, value, objectWanted)
  checkOptions(action, value, ['entity', 'type'], 'field')
  const { entity, type } = value
  return {
    entity: parseName(action, `${path}.entity`, entity),
    ...(type === undefined ? {} : { type: parseName(action, `${path}.type`, type) }),
  }
}

const objectWanted = 'text, a number, true or false, { date }, { json } or { entity }'

/** A day stays a day: `1990-05-01` does not become midnight in London. */
function dateText(action: string, path: string, value: unknown): string {
  const time = parseTime(action, path, value)
  return typeof value === 'string' && !value.includes('T') ? value : new Date(time).toISOString()
}

function sentence(path: string, value: unknown, action: string = attempt): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > TEXT_CHARACTERS_MAX)
    refuse(action, path, value, `a text of 1 to ${TEXT_CHARACTERS_MAX} characters`)
  return value
}

function timeOrNull(path: string, value: unknown): number | null {
  return value === undefined ? null : parseTime(attempt, path, value)
}

function parseConfidence(path: string, value: unknown): number | null {
  if (value === undefined) return null
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) refuse(attempt, path, value, 'a number from 0 to 1')
  return value
}

function parseTags(path: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > LIST_MAX)
    refuse(attempt, path, value, `an array of at most ${LIST_MAX} tags`)
  return [...new Set(value.map((tag, index) => parseName(attempt, `${path}[${index}]`, tag)))]
}

function parseSources(path: string, value: unknown): readonly ParsedSource[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > LIST_MAX)
    refuse(attempt, path, value, `an array of at most ${LIST_MAX} message ids`)
  return value.map((source, index) => parseSource(attempt, `${path}[${index}]`, source))
}

export function parseSource(action: string, path: string, value: unknown): ParsedSource {
  if (typeof value === 'string') return parseSource(action, path, { message: value })
  if (!isPlainObject(value)) refuse(action, path, value, 'a message id, { session, message } or { fact }')
  if ('fact' in value) {
    checkOptions(action, value, ['fact'], 'field')
    checkId(action, `${path}.fact`, value['fact'])
    return { type: 'fact', id: value['fact'] }
  }
  checkOptions(action, value, ['message', 'session'], 'field')
  const { message, session } = value
  checkId(action, `${path}.message`, message)
  if (session !== undefined) checkId(action, `${path}.session`, session)
  return { type: 'message', id: message, session }
}

function parseFlag(path: string, value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean') refuse(attempt, path, value, 'true or false')
  return value === true
}

function parseExpect(action: string, path: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || Number(value) < 0) refuse(action, path, value, 'a revision, or 0 for none')
  return Number(value)
}
