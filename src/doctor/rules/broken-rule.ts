import { lint } from '../../dialects/lint.ts'
import { repair } from '../../dialects/repair.ts'
import type { TranscriptPath } from '../../dialects/violation.ts'
import type { Topic } from '../finding.ts'
import type { ExaminedConversation, Specimen } from '../specimen.ts'
import { applyEdits } from '../tree.ts'
import type { DoctorProblem } from './problem.ts'
import { secretEdits } from './secret.ts'

/** What each rule of the providers is about. Shape is what is left. */
const TOPICS: Readonly<Record<string, Topic>> = {
  C2: 'tools',
  C3: 'order',
  C4: 'signature',
  C5: 'signature',
  C6: 'empty',
  C7: 'order',
  C10: 'order',
  A2: 'order',
  A3: 'order',
  A4: 'tools',
  A5: 'order',
  A6: 'tools',
  A7: 'tools',
  A9: 'empty',
  A10: 'order',
  A11: 'signature',
  A12: 'signature',
  A13: 'tools',
  A14: 'empty',
  A15: 'oversize',
  A16: 'order',
  O1: 'tools',
  O2: 'tools',
  O4: 'empty',
  O7: 'order',
  R1: 'tools',
  R2: 'tools',
  R3: 'signature',
  R4: 'signature',
  R5: 'signature',
  R7: 'duplicate',
  R9: 'order',
  R10: 'tools',
  G2: 'order',
  G3: 'tools',
  G4: 'empty',
  G5: 'signature',
  G7: 'order',
  G8: 'signature',
  V1: 'empty',
  V3: 'tools',
  V4: 'order',
  V5: 'empty',
  V6: 'empty',
  V7: 'tools',
}

/** What the provider rejects or only puts up with: the rules of `lint`, which `repair` satisfies. */
export function* brokenRule({ conversations }: Specimen): Generator<DoctorProblem> {
  for (const conversation of conversations) yield* broken(conversation)
}

function* broken({ wire, dialect, options, path, key }: ExaminedConversation): Generator<DoctorProblem> {
  if (lint(wire, dialect, options).length === 0) return
  // Messages of `lint` quote what they complain about.
  const shown = applyEdits(wire, secretEdits(wire))
  const found = lint(shown, dialect, options)
  // `repair` holds to the unconfirmed rules too; what is an error then, it fixes.
  const strict = lint(shown, dialect, { ...options, unconfirmed: 'error' })
  const steps = new Steps()
  const complaints = new Set(strict.map((violation) => violation.message))
  for (const { path: at, message, rule } of repair(shown as unknown, dialect, options).changes) {
    const place = messageAt(at, key)
    // Where `repair` names no step of its own, it repeats the complaint.
    const repeats = complaints.has(message.slice(message.indexOf(': ') + 2))
    if (!repeats) steps.add(place, topicOf(rule), message)
  }
  for (const [index, { rule, severity, path: within, message }] of found.entries()) {
    const step = steps.find(messageAt(within, key), topicOf(rule), message)
    const fix = step ?? `Rewrites the conversation so that rule ${rule} holds`
    yield {
      rule,
      topic: topicOf(rule),
      severity,
      path: [...path, ...within],
      message,
      ...(strict[index]?.severity === 'error' ? { fix } : {}),
    }
  }
}

/** What a repair does, by where and about what: several things may be wrong with one message. */
class Steps {
  readonly #steps = new Map<string, string>()

  add(place: string, topic: Topic, message: string): void {
    // What is added stood nowhere; it names the call that it is for.
    const keys = place === '' ? [keyOf(quoted(message), topic)] : [keyOf(place, topic), keyOf(place)]
    for (const key of keys) if (!this.#steps.has(key)) this.#steps.set(key, message)
  }

  find(place: string, topic: Topic, complaint: string): string | undefined {
    const keys = [keyOf(place, topic), keyOf(quoted(complaint), topic), keyOf(place)]
    return keys.flatMap((key) => this.#steps.get(key) ?? [])[0]
  }
}

function keyOf(...of: readonly string[]): string {
  return of.join('\n')
}

/** The id that a message is about. */
function quoted(message: string): string {
  return /"[^"]*"/.exec(message)?.[0] ?? ''
}

function topicOf(rule: string): Topic {
  return TOPICS[rule] ?? 'shape'
}

/** Which message a place is in. */
function messageAt(path: TranscriptPath, key: TranscriptPath): string {
  return path.slice(0, key.length + 1).join('/')
}
