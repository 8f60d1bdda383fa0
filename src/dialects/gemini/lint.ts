import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { arrayOf, field, isArray, isObject, kindOf } from '../canonical/json.ts'
import { pairMessage } from '../canonical/lint.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { requiresSignatures } from './model.ts'
import { OpenCalls } from './open-calls.ts'
import { geminiContents, partFault } from './read.ts'
import { currentContentStart, unsignedCall } from './turn.ts'

export function lintGemini(wire: unknown, report: Report): void {
  const opened = geminiContents(wire)
  if (opened === undefined) {
    report(
      'C0',
      [],
      `Cannot read the transcript: received ${kindOf(wire)}, expected { contents } or an array of contents`,
    )
    return
  }
  const { contents, path: base } = opened
  lintSystem(opened.system, report)
  if (contents.length === 0) report('C1', base, 'Cannot send a transcript without contents: expected at least one')
  for (const [index, content] of contents.entries()) lintContent(content, [...base, index], report)
  lintTurns(contents, base, report)
  lintIds(contents, base, report)
  lintSignatures(contents, base, report)
}

function lintSystem(system: JSONValue | undefined, report: Report): void {
  if (system === undefined || typeof system === 'string') return
  const parts = field(system, 'parts')
  const sound = isArray(parts) && parts.every((part) => typeof field(part, 'text') === 'string')
  if (!sound) report('G1', ['systemInstruction'], 'Cannot read systemInstruction: expected { parts: [{ text }] }')
}

function lintContent(content: JSONValue, path: TranscriptPath, report: Report): void {
  if (!isObject(content)) {
    report('C0', path, `Cannot read the content: received ${kindOf(content)}, expected { role, parts }`)
    return
  }
  const { role, parts } = content
  if (role !== 'user' && role !== 'model')
    report('G1', [...path, 'role'], `Cannot send the role ${JSON.stringify(role)}: expected user or model`)
  if (!isArray(parts) || parts.length === 0) {
    report('G4', [...path, 'parts'], `Cannot send a content without parts: received ${kindOf(parts)}`)
    return
  }
  for (const [index, part] of parts.entries()) lintPart(part, content, [...path, 'parts', index], report)
  const last = parts.findLastIndex((part) => !isThought(part))
  if (role === 'model' && last < parts.length - 1) {
    report('C5', [...path, 'parts', parts.length - 1], 'Cannot end a content with a thought: expected what it led to')
  }
}

function isThought(part: JSONValue): boolean {
  return (
    field(part, 'thought') === true &&
    typeof field(part, 'text') === 'string' &&
    field(part, 'functionCall') === undefined
  )
}

function lintPart(part: JSONValue, content: JSONObject, path: TranscriptPath, report: Report): void {
  const fault = partFault(part)
  if (fault !== undefined) {
    report('C0', path, `Cannot read the part: received ${kindOf(part)}, ${fault}`)
    return
  }
  const signature = field(part, 'thoughtSignature')
  if (signature !== undefined && (typeof signature !== 'string' || signature === ''))
    report('C4', path, 'Cannot send a damaged thoughtSignature: expected it unchanged')
  if (
    field(part, 'text') === '' &&
    signature === undefined &&
    Object.keys(part as object).every((key) => key === 'text' || key === 'thought')
  ) {
    report('G4', path, 'Cannot send an empty text without signature: expected text')
  }
  lintCall(part, content, path, report)
}

function lintCall(part: JSONValue, content: JSONObject, path: TranscriptPath, report: Report): void {
  const call = field(part, 'functionCall')
  const response = field(part, 'functionResponse')
  if (call !== undefined && content['role'] === 'user')
    report('C0', path, 'Cannot send a functionCall with role "user": expected model')
  if (response !== undefined && content['role'] === 'model')
    report('C0', path, 'Cannot send a functionResponse with role "model": expected user')
  if (field(part, 'thought') === true && content['role'] === 'user')
    report('C0', path, 'Cannot send a thought with role "user": expected model')
  const args = field(call, 'args')
  if (call !== undefined && args !== undefined && !isObject(args))
    report('G6', path, `Cannot send args: received ${kindOf(args)}, expected an object`)
  const body = field(response, 'response')
  if (response !== undefined && !isObject(body))
    report('G6', path, `Cannot send a response: received ${kindOf(body)}, expected an object`)
}

/** G2, G3, G7: whose turn it is. */
function lintTurns(contents: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  let expected: readonly JSONValue[] = []
  for (const [index, content] of contents.entries()) {
    const path = [...base, index]
    const role = field(content, 'role')
    const parts = arrayOf(field(content, 'parts'))
    const calls = parts.flatMap((part) => field(part, 'functionCall') ?? [])
    const responses = parts.flatMap((part) => field(part, 'functionResponse') ?? [])
    lintResponses(expected, responses, path, report)
    const previous = field(contents[index - 1], 'role')
    if (role === 'model' && index === 0)
      report('G2', path, 'Cannot start with the model: expected the user first', 'unconfirmed')
    else if (calls.length > 0 && previous !== 'user')
      report('G2', path, 'Cannot send function calls here: expected them right after a user content', 'unconfirmed')
    expected = calls
  }
  if (expected.length > 0) {
    report(
      'C2',
      [...base, contents.length - 1],
      'Cannot end with function calls: expected exactly one response for each',
    )
    report(
      'G3',
      [...base, contents.length - 1],
      `Cannot end with ${expected.length} unanswered function calls`,
      'unconfirmed',
    )
  }
  if (field(contents.at(-1), 'role') === 'model')
    report('G7', [...base, contents.length - 1], 'Cannot end with the model: expected the user last', 'unconfirmed')
}

function lintResponses(
  calls: readonly JSONValue[],
  responses: readonly JSONValue[],
  path: TranscriptPath,
  report: Report,
): void {
  if (calls.length === 0 && responses.length === 0) return
  if (calls.length !== responses.length) {
    report('C2', path, 'Cannot pair function calls with responses: expected exactly one response for each call')
    report(
      'G3',
      path,
      `Cannot send ${responses.length} responses for ${calls.length} function calls: expected one each`,
      'unconfirmed',
    )
    return
  }
  const open = new OpenCalls<JSONValue>()
  for (const call of calls) open.add(call, { id: field(call, 'id'), name: field(call, 'name') })
  for (const response of responses) {
    const id = field(response, 'id')
    const name = field(response, 'name')
    if (open.take({ id, name }) === undefined) {
      report('C2', path, pairMessage({ type: 'orphan', id: typeof id === 'string' ? id : undefined, path }))
      report(
        'G3',
        path,
        `Cannot send the response "${String(name)}": it belongs to no open function call`,
        'unconfirmed',
      )
    }
  }
}

function lintIds(contents: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const seen = new Set<string>()
  for (const [index, content] of contents.entries()) {
    for (const [at, part] of arrayOf(field(content, 'parts')).entries()) {
      const id = field(field(part, 'functionCall'), 'id')
      if (typeof id !== 'string') continue
      if (seen.has(id))
        report('C2', [...base, index, 'parts', at], pairMessage({ type: 'duplicate-call', id, path: [] }))
      seen.add(id)
    }
  }
}

/** G5: an error for models that check, a warning when nobody said which model. */
function lintSignatures(contents: readonly JSONValue[], base: TranscriptPath, report: Report): void {
  const required = requiresSignatures(report.options.model)
  if (required === false) return
  const from = currentContentStart(contents)
  for (const [index, content] of contents.entries()) {
    const at = index < from ? undefined : unsignedCall(content)
    if (at === undefined) continue
    const grade = required === true ? undefined : 'warning'
    report(
      'G5',
      [...base, index, 'parts', at],
      'Cannot send a function call of the current turn without thoughtSignature',
      grade,
    )
  }
}
