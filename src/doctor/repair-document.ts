import { defined } from '../domain/defined.ts'
import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import { repair } from '../dialects/repair.ts'
import { diff } from './diff.ts'
import { findingsOf, documentProblems } from './examine.ts'
import type { Diagnosis, Finding } from './finding.ts'
import { type DocumentLine, type ReadDocument, linesOf, readDocument } from './read-document.ts'
import { type RecogniseOptions, recogniseDocument } from './recognise.ts'
import type { DoctorProblem } from './rules/problem.ts'
import type { ExaminedConversation, Specimen } from './specimen.ts'
import { applyEdits } from './tree.ts'

export interface DoctorOptions extends RecogniseOptions {
  /** Rules that are neither reported nor repaired: `['secret']`. @default none */
  readonly ignore?: readonly string[]
}

export interface RepairedDocument {
  /** The repaired copy; the text itself when there was nothing to repair. */
  readonly text: string
  readonly changed: boolean
  /** What was found before. */
  readonly diagnosis: Diagnosis
  /** What is still found in the copy: nothing of it can be repaired without a person. */
  readonly left: readonly Finding[]
}

/** A repair may bring together what is then a duplicate: it is looked at again until nothing is left to do. */
const ROUNDS_MAX = 8
const FINDINGS_MAX = 10_000

/**
 * What is wrong with a transcript or a memory file, as JSON or JSON lines, whole or torn. Never throws, whatever the text;
 * takes time linear in it. No secret is in the answer.
 */
export function diagnose(text: string, options: DoctorOptions = {}): Diagnosis {
  return repairLines(linesOf(text), options).diagnosis
}

/** A copy in which everything that can be repaired is; what was fine is in it as it was. */
export function repairDocument(text: string, options: DoctorOptions = {}): RepairedDocument {
  const copy = repairLines(linesOf(text), options)
  return copy.changed ? copy : { ...copy, text }
}

/** The same for lines that were read from a file. */
export function repairLines(
  lines: readonly DocumentLine[],
  { ignore = [], ...options }: DoctorOptions,
): RepairedDocument {
  const text = lines.map((line) => line.text).join('\n')
  const document = readDocument(lines)
  if (document === undefined) return unreadable(text, lines)
  const specimen = recogniseDocument(document, options)
  const problems = documentProblems(specimen, ignore)
  const findings = findingsOf(document, problems)
  const { value, left } = cure(document, { specimen, problems }, { ignore, ...options })
  const changed = document.problems.length > 0 || value !== document.value
  const unknown: readonly Finding[] = specimen.kind === 'unknown' ? [strange()] : []
  const diagnosis = diagnosisOf(specimen, document, [...unknown, ...findings], diff(document.value, value))
  return { text: changed ? written(document, value, text) : text, changed, diagnosis, left: [...unknown, ...left] }
}

function diagnosisOf(
  { kind, conversations, value }: Specimen,
  { form }: ReadDocument,
  findings: readonly Finding[],
  patch: Diagnosis['patch'],
): Diagnosis {
  const messages = conversations.reduce((sum, each) => sum + each.messages.length, 0)
  const list = Array.isArray(value) ? value.length : 1
  return {
    kind,
    ...(conversations[0] === undefined ? {} : { dialect: conversations[0].dialect }),
    form,
    records: conversations.length > 0 ? messages : list,
    findings: findings.slice(0, FINDINGS_MAX),
    more: Math.max(0, findings.length - FINDINGS_MAX),
    ok: findings.every(({ severity }) => severity !== 'error'),
    patch,
  }
}

/** Repairs until nothing is left that can be. The dialect stays what it was recognised as. */
function cure(
  document: ReadDocument,
  first: { readonly specimen: Specimen; readonly problems: readonly DoctorProblem[] },
  { ignore, ...options }: DoctorOptions & { readonly ignore: readonly string[] },
): { readonly value: JSONValue; readonly left: readonly Finding[] } {
  const dialect: Dialect | undefined =
    first.specimen.kind === 'transcript' ? first.specimen.conversations[0]?.dialect : undefined
  const fixed = { ...options, ...defined({ dialect }) }
  let value = document.value
  for (let round = 0; ; round++) {
    const again: ReadDocument = { ...document, value, lines: round === 0 ? document.lines : [], problems: [] }
    const problems = round === 0 ? first.problems : documentProblems(recogniseDocument(again, fixed), ignore)
    if (round === ROUNDS_MAX || problems.every(({ fix }) => fix === undefined))
      return { value, left: findingsOf(again, problems) }
    value = repaired(
      applyEdits(
        value,
        problems.flatMap(({ edits }) => edits ?? []),
      ),
      again,
      fixed,
    )
  }
}

/** Every conversation made acceptable for its provider. */
function repaired(value: JSONValue, document: ReadDocument, options: RecogniseOptions): JSONValue {
  const { conversations } = recogniseDocument({ ...document, value }, options)
  const edits = conversations.flatMap((conversation) => {
    const wire = repairedWire(conversation)
    return wire === undefined ? [] : [{ path: [...conversation.path, ...wire.key], value: wire.value }]
  })
  return applyEdits(value, edits)
}

function repairedWire({
  wire,
  dialect,
  options,
  key,
}: ExaminedConversation): { key: ExaminedConversation['key']; value: JSONValue } | undefined {
  const clean = repair(wire as unknown, dialect, options)
  if (clean.changes.length === 0) return undefined
  const value = clean as unknown as JSONValue
  return { key: Array.isArray(value) && !Array.isArray(wire) ? key : [], value }
}

/** As it was written: indented or not, and a line that nobody changed to the byte. */
function written({ form, raw }: ReadDocument, value: JSONValue, before: string): string {
  if (form === 'json-lines' && Array.isArray(value))
    return value.map((record: JSONValue) => `${raw.get(record) ?? JSON.stringify(record)}\n`).join('')
  const [, indent = ''] = /^\s*[[{]\r?\n([ \t]+)/.exec(before.slice(0, 200)) ?? []
  return `${JSON.stringify(value, undefined, indent)}${before.endsWith('\n') ? '\n' : ''}`
}

function strange(): Finding {
  return {
    rule: 'unreadable',
    topic: 'shape',
    severity: 'error',
    place: {},
    message:
      'Cannot recognise this file: expected a transcript, JSON lines, a memory file of another tool or a memory of Daybook',
  }
}

function unreadable(text: string, lines: readonly DocumentLine[]): RepairedDocument {
  const long = lines.findIndex(({ cutBytes }) => cutBytes > 0)
  const finding: Finding =
    long < 0
      ? strange()
      : {
          ...strange(),
          rule: 'oversize',
          topic: 'oversize',
          place: { line: long + 1 },
          message: 'Cannot read the line: it is longer than the limit, expected a shorter one',
        }
  const diagnosis: Diagnosis = { kind: 'unknown', records: 0, findings: [finding], more: 0, ok: false, patch: [] }
  return { text, changed: false, diagnosis, left: [finding] }
}
