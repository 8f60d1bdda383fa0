import { isPlainObject } from '../../domain/check-json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, ToolOutput } from '../../domain/part.ts'
import { type Entry, trustOfEntries } from '../window/entry.ts'

/**
 * Stands for a fold's own id in what a stage proposes: the id is derived from what is hidden, so it is not known before
 * the proposal is accepted. `withFoldId` puts it in.
 */
export const FOLD_ID = '{fold-id}'

/** Where the stub stands in arguments and data, which stay objects. */
export const OFFLOADED_KEY = 'offloaded'

/** What every marker of ours begins with. Stored text that has it is changed on its way into a stand-in. */
const MARKER_LIKE = /\[(?=\s{0,4}(?:summary|record|dropped|offloaded|truncated)\b)/gi
/** Line breaks of every kind, tabs, control characters: what could begin a new line or hide one. */
const BREAKS_AND_BLANKS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu

/** `[summary of 14 messages, 2026-01-01 10:00 to 10:20, trust 0, reopen {fold-id}]` */
export function summaryMarker(entries: readonly Entry[]): string {
  const messages = counted(messagesIn(entries), 'message')
  return `[summary of ${messages}, ${timesOf(entries)}, trust ${trustOfEntries(entries)}, reopen ${FOLD_ID}]`
}

/** `[record of 9 tool calls in 14 messages, 2026-01-01 10:00 to 10:20, trust 0, reopen {fold-id}]` */
export function recordMarker(entries: readonly Entry[], calls: number): string {
  const messages = counted(messagesIn(entries), 'message')
  const trust = trustOfEntries(entries)
  return `[record of ${counted(calls, 'tool call')} in ${messages}, ${timesOf(entries)}, trust ${trust}, reopen ${FOLD_ID}]`
}

/** `[dropped 14 messages, 2026-01-01 10:00 to 10:20, trust 0, reopen {fold-id}]` */
export function droppedMarker(entries: readonly Entry[]): string {
  const messages = counted(messagesIn(entries), 'message')
  return `[dropped ${messages}, ${timesOf(entries)}, trust ${trustOfEntries(entries)}, reopen ${FOLD_ID}]`
}

/** `[offloaded tool result, 12345 characters, 12400 bytes, reopen {fold-id}]` */
export function offloadMarker(what: string, ...sizes: readonly string[]): string {
  return `[${[`offloaded ${what}`, ...sizes, `reopen ${FOLD_ID}`].join(', ')}]`
}

/** `[truncated: 8000 of 10000 characters left out, reopen {fold-id}]` */
export function truncationMarker(hidden: number, all: number): string {
  return `[truncated: ${hidden} of ${all} characters left out, reopen ${FOLD_ID}]`
}

/** What was shown of a shortened text, without the markers and quotation marks that say so: they name a fold that is about to go. */
export function unmarked(text: string): string {
  return text.replaceAll(/^\[(?:summary|record|dropped|offloaded|truncated)[^\n]*$/gm, '').replaceAll(/^> /gm, '')
}

/** Stored text so that it cannot pass for a marker of ours, nor be given a fold's id. */
export function neutralise(text: string): string {
  return text.replaceAll(MARKER_LIKE, '(').replaceAll(FOLD_ID, '(fold-id)')
}

/** Stored text as data on one line: it can neither begin a line of its own nor pass for a marker. */
export function dataLine(text: string): string {
  return neutralise(text.toWellFormed().replaceAll(BREAKS_AND_BLANKS, ' ').trim())
}

/**
 * The stand-in with its fold's id in every place that was left for it. Quoted text has no such place (`neutralise`); a part
 * that was kept as it was and spells the placeholder itself would show the id too, which tells nobody anything.
 */
export function withFoldId(standIn: readonly Draft[], id: string): readonly Draft[] {
  return standIn.map((draft) => ({ ...draft, parts: draft.parts.map((part) => partWithFoldId(part, id)) }))
}

function partWithFoldId(part: Part, id: string): Part {
  const fill = (text: string): string => text.replaceAll(FOLD_ID, id)
  switch (part.type) {
    case 'text':
      return { ...part, text: fill(part.text) }
    case 'tool-call':
      return { ...part, arguments: fill(part.arguments) }
    case 'tool-result':
      return { ...part, output: outputWithFoldId(part.output, fill) }
    case 'agent-call':
      return { ...part, request: valueWithFoldId(part.request, fill) }
    case 'data':
      return { ...part, data: valueWithFoldId(part.data, fill) }
    default:
      return part
  }
}

/** Structured values keep their stub under a key of its own. */
function valueWithFoldId(value: JSONValue, fill: (text: string) => string): JSONValue {
  if (!isPlainObject(value)) return value
  const stub = value[OFFLOADED_KEY]
  return typeof stub === 'string' ? { ...(value as JSONObject), [OFFLOADED_KEY]: fill(stub) } : (value as JSONObject)
}

function outputWithFoldId(output: ToolOutput, fill: (text: string) => string): ToolOutput {
  if (output.type === 'text') return { ...output, text: fill(output.text) }
  if (output.type === 'json') return output
  return {
    ...output,
    parts: output.parts.map((part) => (part.type === 'text' ? { ...part, text: fill(part.text) } : part)),
  }
}

/** How many messages of the log entries stand for. */
export function messagesIn(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.type === 'fold' ? entry.fold.messages : 1), 0)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** When the entries were said, to the minute, in UTC; the day once if it is one. */
function timesOf(entries: readonly Entry[]): string {
  let [first, last] = ['', '']
  for (const entry of entries) {
    const [from, through] =
      entry.type === 'fold' ? [entry.fold.firstAt, entry.fold.lastAt] : [entry.message.at, entry.message.at]
    if (first === '' || from < first) first = from
    if (through > last) last = through
  }
  const [from, through] = [toMinute(first), toMinute(last)]
  if (from === through) return from
  const sameDay = from.slice(0, 10) === through.slice(0, 10)
  return `${from} to ${sameDay ? through.slice(11) : through}`
}

function toMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ')
}
