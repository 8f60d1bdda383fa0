import type { JSONValue } from '../domain/json.ts'
import { parseJsonObject } from './parse-json-object.ts'

export interface Salvaged {
  readonly values: readonly JSONValue[]
  /** Characters that belong to no value. */
  readonly lost: number
}

/** A half-written line with a whole one behind it: how many beginnings are tried. Each try reads the line once. */
const BEGINNINGS_MAX = 16

/**
 * The whole objects in a line that is no JSON: two that were written without a line feed between them, one behind a block
 * of NUL bytes, one behind the first half of another. What is cut off inside a value cannot be had back.
 */
export function salvageLine(line: string): Salvaged {
  const text = line.replaceAll('\0', '')
  const values: JSONValue[] = []
  let kept = 0
  let from = 0
  for (;;) {
    const begin = text.indexOf('{', from)
    const end = begin < 0 ? -1 : endOfValue(text, begin)
    const value = end < 0 ? undefined : parseJsonObject(text.slice(begin, end))
    if (value === undefined) break
    values.push(value)
    kept += end - begin
    from = end
  }
  const rest = salvageSuffix(text, from)
  if (rest !== undefined) {
    values.push(rest.value)
    kept += rest.length
  }
  return { values, lost: text.trim().length - kept }
}

function salvageSuffix(text: string, from: number): { readonly value: JSONValue; readonly length: number } | undefined {
  let begin = text.indexOf('{"', from + 1)
  for (let tries = 0; begin >= 0 && tries < BEGINNINGS_MAX; tries++) {
    const suffix = text.slice(begin).trimEnd()
    const value = parseJsonObject(suffix)
    if (value !== undefined) return { value, length: suffix.length }
    begin = text.indexOf('{"', begin + 1)
  }
  return undefined
}

/**
 * A document that was cut off, closed after the last whole element of its list of messages: `[{…},{…},{"ro` gives two.
 * Nothing when there is no such list.
 */
export function closeDocument(text: string): JSONValue | undefined {
  const open: string[] = []
  let cut: { readonly at: number; readonly closers: string } | undefined
  for (const { at, mark } of brackets(text)) {
    if (mark === '{' || mark === '[') {
      open.push(mark === '{' ? '}' : ']')
      continue
    }
    if (open.pop() !== mark) return undefined
    // An element of the outermost list, which has the messages, alone or under one key.
    if (open.length > 0 && open.length <= 2 && open.at(-1) === ']' && !open.slice(0, -1).includes(']'))
      cut = { at: at + 1, closers: open.toReversed().join('') }
  }
  return cut === undefined ? undefined : parseJsonObject(text.slice(0, cut.at).replaceAll('\0', '') + cut.closers)
}

/** Where the value that begins here ends, or -1. */
function endOfValue(text: string, begin: number): number {
  let depth = 0
  for (const { at, mark } of brackets(text, begin)) {
    depth += mark === '{' || mark === '[' ? 1 : -1
    if (depth === 0) return at + 1
  }
  return -1
}

/** Brackets outside of strings. */
function* brackets(text: string, begin = 0): Generator<{ readonly at: number; readonly mark: string }> {
  let quoted = false
  for (let at = begin; at < text.length; at++) {
    const mark = text[at]
    if (quoted) {
      if (mark === '\\') at += 1
      else if (mark === '"') quoted = false
    } else if (mark === '"') quoted = true
    else if (mark === '{' || mark === '[' || mark === '}' || mark === ']') yield { at, mark }
  }
}
