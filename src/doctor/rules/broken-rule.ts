import { lint } from '../../dialects/lint.ts'
import { repair } from '../../dialects/repair.ts'
import type { Path } from '../../dialects/violation.ts'
import type { Topic } from '../finding.ts'
import type { Conversation, Specimen } from '../specimen.ts'
import { applyEdits } from '../tree.ts'
import type { Problem } from './problem.ts'
import { withoutSecrets } from './secret.ts'

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
export function* brokenRule({ conversations }: Specimen): Generator<Problem> {
  for (const conversation of conversations) yield* broken(conversation)
}

function* broken({ wire, dialect, options, path, key }: Conversation): Generator<Problem> {
  if (lint(wire, dialect, options).length === 0) return
  // Messages of `lint` quote what they complain about.
  const shown = applyEdits(wire, withoutSecrets(wire))
  const found = lint(shown, dialect, options)
  // `repair` holds to the unconfirmed rules too; what is an error then, it fixes.
  const strict = lint(shown, dialect, { ...options, unconfirmed: 'error' })
  const steps = new Map<string, string>()
  const complaints = new Set(strict.map((violation) => violation.message))
  for (const { path: at, message } of repair(shown as unknown, dialect, options).changes) {
    const place = messageAt(at, key)
    // Where `repair` names no step of its own, it repeats the complaint.
    const repeats = complaints.has(message.slice(message.indexOf(': ') + 2))
    if (!repeats && !steps.has(place)) steps.set(place, message)
  }
  for (const [index, { rule, severity, path: within, message }] of found.entries()) {
    const fix = steps.get(messageAt(within, key)) ?? `Rewrites the conversation so that rule ${rule} holds`
    yield {
      rule,
      topic: TOPICS[rule] ?? 'shape',
      severity,
      path: [...path, ...within],
      message,
      ...(strict[index]?.severity === 'error' ? { fix } : {}),
    }
  }
}

/** Which message a place is in. */
function messageAt(path: Path, key: Path): string {
  return path.slice(0, key.length + 1).join('/')
}
