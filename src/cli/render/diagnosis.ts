import type { Diagnosis, Finding, PatchOperation, DocumentLocation } from '../../doctor/finding.ts'
import type { Look } from '../look.ts'
import { terminalLine, terminalJSON } from '../visible.ts'
import { counted, shortened } from './layout.ts'

const VALUE_CHARACTERS_MAX = 100

const NAMES: Readonly<Record<Diagnosis['kind'], string>> = {
  transcript: 'a transcript',
  transcripts: 'several transcripts',
  'mcp-memory': "the reference MCP server's memory",
  mem0: 'a dump of Mem0',
  records: 'JSON lines of an unknown kind',
  store: 'a memory',
  archive: 'an archive of Daybook',
  unknown: 'a file of an unknown kind',
}

/** For people: what it is, what was found and where, what a repair would do. */
export function renderDiagnosis(diagnosis: Diagnosis, look: Look, withPatch: boolean): string {
  const { kind, dialect, records, findings, more, patch } = diagnosis
  const what = `${NAMES[kind]}${dialect === undefined || kind === 'store' ? '' : ` (${dialect})`}`
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return [
    ...findings.flatMap((finding) => renderFinding(finding, look)),
    ...(more > 0 ? [`and ${counted(more, 'finding')} more`] : []),
    ...(withPatch && patch.length > 0
      ? ['', look.paint('bold', 'A repair changes:'), ...patch.map((step) => renderStep(step, look))]
      : []),
    ...(findings.length > 0 ? [''] : []),
    `This is ${what} with ${counted(records, ['mcp-memory', 'mem0', 'records', 'archive'].includes(kind) ? 'record' : 'message')}: ${
      findings.length === 0
        ? look.paint('green', 'nothing is wrong')
        : `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`
    }`,
  ].join('\n')
}

function renderFinding({ rule, severity, place, message, fix }: Finding, look: Look): readonly string[] {
  const colour = severity === 'error' ? 'red' : 'yellow'
  return [
    `${look.paint(colour, severity)} ${look.paint('bold', rule)} ${renderPlace(place)}`,
    `  ${terminalLine(message)}`,
    ...(fix === undefined ? [] : [look.paint('dim', `  fix: ${terminalLine(fix)}`)]),
  ]
}

function renderPlace({ line, pointer, scope, session, seq }: DocumentLocation): string {
  const parts = [
    ...(scope === undefined ? [] : [terminalLine(scope)]),
    ...(session === undefined ? [] : [terminalLine(session)]),
    ...(seq === undefined ? [] : [`[${seq}]`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(pointer === undefined || pointer === '' ? [] : [terminalLine(pointer)]),
  ]
  return parts.length === 0 ? 'as a whole' : parts.join(' ')
}

function renderStep(step: PatchOperation, look: Look): string {
  const path = terminalLine(step.path)
  if (step.op === 'remove') return look.paint('red', `  - ${path}`)
  const value = shortened(terminalJSON(step.value), VALUE_CHARACTERS_MAX)
  return look.paint(step.op === 'add' ? 'green' : 'yellow', `  ${step.op === 'add' ? '+' : '~'} ${path} ${value}`)
}
