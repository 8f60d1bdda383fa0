import type { BlockEdit, BlockSettings } from '../api/blocks.ts'
import { isPlainObject } from '../domain/check-json.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONObject, JSONValue } from '../domain/json.ts'
import { quote } from '../domain/refuse.ts'
import type { Trust } from '../domain/trust.ts'
import { estimator } from '../tokens/estimate.ts'
import { replacedTrust, rewrittenTrust } from './line-trust.ts'
import { schemaProblem } from './schema-problem.ts'
import { type BlockContent, labelsOf } from './stored-block.ts'

const LIMIT = 2_000

/** What a new block starts from. The digits are the trust of a description and of one empty line, which say nothing yet. */
const EMPTY: BlockContent = { text: '', tokens: 0, limit: LIMIT, trust: '33' }

/** A block that is about to be changed. */
export interface ChangedBlock {
  readonly name: string
  readonly before: BlockContent | undefined
  /** Of whoever wrote the new words. */
  readonly writer: Trust
}

/** The block with new settings. What is left out stays. */
export function withSettings(
  { name, before = EMPTY, writer }: ChangedBlock,
  settings: BlockSettings,
): BlockContent | MemoryError {
  const derivedFrom = settings.derivedFrom === undefined ? before.derivedFrom : (settings.derivedFrom ?? undefined)
  if (derivedFrom !== undefined && settings.text !== undefined) return derived(name)
  const { text = derivedFrom === undefined ? before.text : '', limit = before.limit } = settings
  const description = settings.description === undefined ? before.description : (settings.description ?? undefined)
  const schema = settings.schema === undefined ? before.schema : (settings.schema ?? undefined)
  const said = description === before.description ? (before.trust[0] ?? '3') : String(writer)
  return checked(name, {
    text,
    limit,
    ...labelsOf({ description, schema, derivedFrom }),
    trust: (description === undefined ? '3' : said) + rewrittenTrust(linesIn(before), text, writer),
  })
}

/** The block with a part of its text changed. */
export function withEdit(block: ChangedBlock, edit: BlockEdit): BlockContent | MemoryError {
  const { name, before = EMPTY, writer } = block
  if ('append' in edit) {
    const end = before.text === '' || before.text.endsWith('\n') ? '' : '\n'
    return withSettings(block, { text: `${before.text}${end}${edit.append}` })
  }
  if ('merge' in edit) {
    const merged = mergedText(name, before, edit.merge)
    return merged instanceof MemoryError ? merged : withSettings(block, { text: merged })
  }
  if (before.derivedFrom !== undefined) return derived(name)
  const places = countOf(before.text, edit.replace)
  if (places !== 1) return notOnce(name, edit.replace, places)
  const at = before.text.indexOf(edit.replace)
  const piece = { at, length: edit.replace.length, put: edit.with }
  return checked(name, {
    ...before,
    text: before.text.slice(0, at) + edit.with + before.text.slice(at + edit.replace.length),
    trust: (before.trust[0] ?? '3') + replacedTrust(linesIn(before), piece, writer),
  })
}

function derived(name: string): MemoryError {
  return new MemoryError(
    'state/refused',
    `Cannot change block ${quote(name)}: its text is derived from facts, change the facts instead`,
    { block: name },
  )
}

function linesIn({ text, trust }: BlockContent): { readonly text: string; readonly trust: string } {
  return { text, trust: trust.slice(1) }
}

function checked(name: string, content: Omit<BlockContent, 'tokens' | 'from'>): BlockContent | MemoryError {
  const { text, limit, schema, trust } = content
  const tokens = estimator().count(text)
  if (tokens > limit)
    return new MemoryError(
      'state/refused',
      `Cannot change block ${quote(name)}: the text would have ${tokens} tokens, expected at most ${limit}. Shorten the block first, or raise its limit`,
      { block: name, tokens, limit },
    )
  const problem = schema === undefined || text === '' ? undefined : schemaProblem(schema, text)
  if (problem !== undefined)
    return new MemoryError('state/refused', `Cannot change block ${quote(name)}: ${problem}`, { block: name, problem })
  return { text, tokens, limit, ...labelsOf(content), trust }
}

/** How often a text occurs, overlapping places included: with two it is not clear which is meant. */
function countOf(text: string, wanted: string): number {
  if (wanted === '') return 0
  let count = 0
  for (let at = text.indexOf(wanted); at >= 0 && count < 100; at = text.indexOf(wanted, at + 1)) count += 1
  return count
}

function notOnce(name: string, wanted: string, places: number): MemoryError {
  const found =
    places === 0
      ? 'it is not in the block, expected text that is, to the letter'
      : `it occurs ${places === 100 ? 'at least 100' : places} times, expected once: include more of the text around it`
  return new MemoryError('state/refused', `Cannot replace ${quote(wanted)} in block ${quote(name)}: ${found}`, {
    block: name,
    replace: wanted,
    places,
  })
}

function mergedText(name: string, { text, schema }: BlockContent, patch: JSONObject): string | MemoryError {
  const before = parsed(text === '' ? '{}' : text)
  if (schema !== undefined && isPlainObject(before)) return JSON.stringify(merge(before as JSONObject, patch), null, 2)
  const state = schema === undefined ? 'it has no schema' : 'its text is not a JSON object'
  return new MemoryError(
    'state/refused',
    `Cannot merge fields into block ${quote(name)}: ${state}, expected a block with a schema for an object`,
    { block: name },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A JSON merge patch, as RFC 7396 has it. */
function merge(target: JSONValue | undefined, patch: JSONValue): JSONValue {
  if (!isPlainObject(patch)) return patch
  const fields = new Map<string, JSONValue>(isPlainObject(target) ? Object.entries(target as JSONObject) : [])
  for (const [key, value] of Object.entries(patch as JSONObject))
    if (value === null) fields.delete(key)
    else fields.set(key, merge(fields.get(key), value))
  return Object.fromEntries(fields)
}
