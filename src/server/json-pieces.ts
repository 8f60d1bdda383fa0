import { isPlainObject } from '../domain/check-json.ts'
import { Turns } from '../log/turns.ts'

/** Most answers are shorter, and are sent as a whole. */
const PIECE_CHARACTERS = 256 * 1024
/** `{ "messages": [ … ] }`: lists are at the second level. What is deeper is written at once. */
const LEVELS = 3

/**
 * The text of `JSON.stringify(value)` in pieces. A list of many or of long messages would hold up everybody else if it was written
 * at once, so others run in between.
 */
export function jsonPieces(value: unknown): AsyncGenerator<string> {
  return inPieces(written(value, LEVELS))
}

/** Short texts joined to pieces that are worth sending. While the texts are made, others run in between. */
export async function* inPieces(texts: Iterable<string>): AsyncGenerator<string> {
  const turns = new Turns()
  let piece = ''
  for (const text of texts) {
    piece += text
    if (turns.isOver) await turns.take()
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

function* written(value: unknown, levels: number): Generator<string> {
  if (levels > 0 && Array.isArray(value)) yield* writtenList(value, levels - 1)
  else if (levels > 0 && isPlainObject(value) && !('toJSON' in value)) yield* writtenObject(value, levels - 1)
  else yield JSON.stringify(value)
}

function* writtenList(list: readonly unknown[], levels: number): Generator<string> {
  let before = '['
  for (const item of list) {
    yield before
    if (isWritten(item)) yield* written(item, levels)
    else yield 'null'
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* writtenObject(value: Readonly<Record<string, unknown>>, levels: number): Generator<string> {
  let before = '{'
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (!isWritten(item)) continue
    yield `${before}${JSON.stringify(key)}:`
    yield* written(item, levels)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Whether JSON has a text for it. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}
