import { isRecalled, withoutRecalled } from '../../domain/recalled.ts'
import type { TranscriptPath } from '../../dialects/violation.ts'
import type { Specimen, ExaminedConversation, Spoken } from '../specimen.ts'
import { type Edit, valueAt } from '../tree.ts'
import type { DoctorProblem } from './problem.ts'

/** As the loop guards of agents have it: the third time is a loop. */
const TIMES = 3
/** "OK." three times is an answer. */
const CHARACTERS_MIN = 16
const LINES_IN_A_ROW = 10

/** An agent that goes round in circles: the same answer or the same call again and again, or a text stuck on one line. */
export function* echoLoop({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations) {
    let last = ''
    let times = 0
    for (const { draft, path } of conversation.spoken()) {
      if (draft.role !== 'assistant') continue
      const said = saying(draft)
      times = said !== '' && said === last ? times + 1 : 1
      last = said
      const at = [...conversation.path, ...path]
      if (times === TIMES) yield loop(at, `the assistant says or does the same ${TIMES} times in a row`)
      if (draft.parts.some((part) => part.type === 'text' && isStuck(part.text)))
        yield loop(at, `a line is repeated ${LINES_IN_A_ROW} times in a row`)
    }
  }
}

function loop(path: TranscriptPath, found: string): DoctorProblem {
  return {
    rule: 'echo-loop',
    topic: 'echo',
    severity: 'warning',
    path,
    message: `Found a loop: ${found}, expected progress`,
  }
}

function saying({ parts }: Spoken['draft']): string {
  const said = parts.flatMap((part) => {
    if (part.type === 'tool-call') return [`${part.name} ${part.arguments}`]
    return part.type === 'text' ? [part.text.replaceAll(/\s+/g, ' ').trim()] : []
  })
  const text = said.join('\n')
  return text.length >= CHARACTERS_MIN || parts.some((part) => part.type === 'tool-call') ? text : ''
}

function isStuck(text: string): boolean {
  let last = ''
  let times = 0
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    times = trimmed.length >= 8 && trimmed === last ? times + 1 : 1
    last = trimmed
    if (times >= LINES_IN_A_ROW) return true
  }
  return false
}

/**
 * What a memory recalled for one request and somebody stored as if it had been said: it is recalled again, learned from,
 * and grows with every turn.
 */
export function* recalledText({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations)
    for (const said of conversation.spoken()) yield* recalled(conversation, said)
}

function* recalled({ path, wire }: ExaminedConversation, { draft, path: at, parts }: Spoken): Generator<DoctorProblem> {
  if (draft.role === 'tool') return
  if (isRecalled(draft)) {
    yield fedBack([...path, ...at], { path: [...path, ...at] })
    return
  }
  for (const { part, path: place } of parts) {
    if (part.type !== 'text') continue
    const own = withoutRecalled(part.text)
    if (own === part.text) continue
    const value = valueAt(wire, place)
    const text = typeof value === 'string' ? place : [...place, 'text']
    if (valueAt(wire, text) === part.text)
      yield fedBack([...path, ...text], { path: [...path, ...text], value: own.replaceAll(/ {2,}/g, ' ').trim() })
  }
}

function fedBack(path: TranscriptPath, edit: Edit): DoctorProblem {
  return {
    rule: 'recalled-text',
    topic: 'echo',
    severity: 'warning',
    path,
    message: 'Found recalled memory stored as if it had been said: expected it in one request only',
    fix: 'Removes the recalled block',
    edits: [edit],
  }
}
