import type { JSONValue } from '../domain/json.ts'
import { field, isArray, isObject } from '../dialects/canonical/json.ts'
import { closeDocument, salvageLine } from './salvage.ts'
import { isDeeper } from './tree.ts'
import { parseJsonObject } from './parse-json-object.ts'

/** Deeper than any transcript: checks behind it may then walk a value without fear for the stack. */
const DEPTH_MAX = 200

/** One line of a file. */
export interface DocumentLine {
  readonly text: string
  /** Bytes of a line that is too long to be read: nothing of it is kept then. */
  readonly cutBytes: number
  /** Its bytes were no UTF-8. */
  readonly mangled: boolean
}

/** What was wrong before anything could be read. */
export interface TextProblem {
  readonly rule: 'torn' | 'oversize' | 'encoding'
  /** From 1; none where it is about the whole. */
  readonly line?: number
  readonly message: string
  /** What the copy has in its place. */
  readonly fix: string
}

export interface ReadDocument {
  readonly form: 'json' | 'json-lines'
  /** The document, or the list of all records. */
  readonly value: JSONValue
  /** Line of each record. */
  readonly lines: readonly number[]
  /** The text of a record that is on its own in its line, to be written back as it was. */
  readonly raw: ReadonlyMap<JSONValue, string>
  readonly problems: readonly TextProblem[]
}

export function linesOf(text: string): readonly DocumentLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => ({ text: line, cutBytes: 0, mangled: false }))
}

/** Reads JSON or JSON lines, whole or torn. Never throws; takes time linear in the text. */
export function readDocument(lines: readonly DocumentLine[]): ReadDocument | undefined {
  const mangled = lines.flatMap(({ mangled: broken }, index): readonly TextProblem[] =>
    broken
      ? [
          {
            rule: 'encoding',
            line: index + 1,
            message: 'Cannot read all characters: the bytes are not UTF-8, expected UTF-8',
            fix: 'Writes the replacement character in their place',
          },
        ]
      : [],
  )
  const whole = lines.some(({ cutBytes }) => cutBytes > 0) ? undefined : parsedDocument(lines)
  if (whole !== undefined) return { ...whole, problems: [...mangled, ...whole.problems] }
  const read = isLines(lines) ? readLines(lines) : closedDocument(lines)
  return read === undefined ? undefined : { ...read, problems: [...mangled, ...read.problems] }
}

function parsedDocument(lines: readonly DocumentLine[]): ReadDocument | undefined {
  const value = parseJsonObject(lines.map(({ text }) => text).join('\n'))
  if (value === undefined || isDeeper(value, DEPTH_MAX)) return undefined
  // A file of JSON lines may have one line.
  const [only, ...others] = [...lines.entries()].filter(([, { text }]) => text.trim() !== '')
  return only !== undefined && others.length === 0 && isRecord(value)
    ? { form: 'json-lines', value: [value], lines: [only[0] + 1], raw: new Map([[value, only[1].text]]), problems: [] }
    : { form: 'json', value, lines: [], raw: new Map(), problems: [] }
}

const CONTAINERS = ['messages', 'contents', 'input', 'output', 'results']

/** An object that is not a list of messages or memories with something around it. */
function isRecord(value: JSONValue): boolean {
  return isObject(value) && !CONTAINERS.some((key) => isArray(field(value, key)))
}

/** Some line that is not indented is a record by itself, and the whole is not a list. */
function isLines(lines: readonly DocumentLine[]): boolean {
  const first = lines.find(({ text }) => text.replaceAll('\0', '').trim() !== '')
  if (first === undefined || first.text.replaceAll('\0', '').trimStart().startsWith('[')) return false
  return lines.some(({ text }) => /^\0*\{/.test(text) && salvageable(text))
}

function salvageable(text: string): boolean {
  return parseJsonObject(text) !== undefined || salvageLine(text).values.length > 0
}

function readLines(lines: readonly DocumentLine[]): ReadDocument {
  const records: JSONValue[] = []
  const places: number[] = []
  const raw = new Map<JSONValue, string>()
  const problems: TextProblem[] = []
  for (const [index, line] of lines.entries()) {
    const number = index + 1
    if (line.cutBytes > 0) {
      problems.push(overlong(line, number))
      continue
    }
    if (line.text.trim() === '') continue
    const value = parseJsonObject(line.text)
    const { values, lost } = value === undefined ? salvageLine(line.text) : { values: [value], lost: 0 }
    const kept = values.filter((each) => !isDeeper(each, DEPTH_MAX))
    if (value === undefined) problems.push(torn(number, line.text, kept.length, lost))
    else if (kept.length === 0) problems.push(tooDeep(number))
    else raw.set(value, line.text)
    for (const each of kept) {
      records.push(each)
      places.push(number)
    }
  }
  return { form: 'json-lines', value: records, lines: places, raw, problems }
}

function closedDocument(lines: readonly DocumentLine[]): ReadDocument | undefined {
  if (lines.some(({ cutBytes }) => cutBytes > 0)) return undefined
  const text = lines.map((line) => line.text).join('\n')
  const value = closeDocument(text)
  if (value === undefined || isDeeper(value, DEPTH_MAX)) return undefined
  const problem: TextProblem = {
    rule: 'torn',
    line: lines.length,
    message: 'Cannot read the document to its end: it is cut off or damaged, expected whole JSON',
    fix: 'Keeps every message up to there that is whole',
  }
  return { form: 'json', value, lines: [], raw: new Map(), problems: [problem] }
}

/** Says how much is lost and never what: it may hold a secret. */
function torn(line: number, text: string, values: number, lost: number): TextProblem {
  const nul = text.length - text.replaceAll('\0', '').length
  const found = [
    ...(nul > 0 ? [`${nul} NUL bytes`] : []),
    ...(lost > 0 ? [`${lost} characters that are not JSON`] : []),
    ...(values > 1 ? [`${values} records in one line`] : []),
  ]
  return {
    rule: 'torn',
    line,
    message: `Cannot read the line: found ${found.join(' and ') || 'no JSON'}, expected one JSON document`,
    fix: values === 0 ? 'Leaves the line out' : `Keeps the ${values === 1 ? 'record' : 'records'} in it, a line each`,
  }
}

function overlong({ cutBytes }: DocumentLine, line: number): TextProblem {
  return {
    rule: 'oversize',
    line,
    message: `Cannot read the line: it has ${cutBytes} bytes, expected fewer than the limit`,
    fix: 'Leaves the line out; the original keeps it',
  }
}

function tooDeep(line: number): TextProblem {
  return {
    rule: 'oversize',
    line,
    message: `Cannot read the line: it is nested deeper than ${DEPTH_MAX} levels, expected fewer`,
    fix: 'Leaves the line out; the original keeps it',
  }
}
