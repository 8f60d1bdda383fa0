import type { Draft } from '../../domain/message.ts'
import type { Report } from '../codec.ts'
import type { TranscriptPath } from '../violation.ts'
import { parseArguments } from './arguments.ts'
import { isArray, isObject, kindOf } from './json.ts'
import { findPairProblems, type PairProblem, type PairingStep } from './pairs.ts'
import { fitsRole, isBlankPart, isDraft, isEnvelope, isPart, isTorn, roleOf } from './shape.ts'

/** Says where a part (or, without one, a message) of the transcript stands. */
export type Locate = (message: number, part?: number) => TranscriptPath

export type PairRules = Readonly<Record<PairProblem['type'], string>>

const PAIR_RULES: PairRules = {
  'duplicate-call': 'C2',
  dangling: 'C2',
  'duplicate-result': 'C2',
  orphan: 'C2',
  late: 'C3',
}

/** Names a problem with a pair, in the words that every dialect shares. */
export function pairMessage(problem: PairProblem): string {
  const id = problem.id === undefined ? 'without id' : `"${problem.id}"`
  switch (problem.type) {
    case 'duplicate-call':
      return `Cannot tell two calls apart: the id ${id} is used twice, expected one call per id`
    case 'dangling':
      return `Cannot send the call ${id}: it has no result, expected one in the next turn`
    case 'duplicate-result':
      return `Cannot send the result ${id}: its call already has a result, expected one result per call`
    case 'orphan':
      return `Cannot send the result ${id}: it belongs to no earlier call, expected the id of one`
    case 'late':
      return `Cannot send the result ${id}: it comes after the turn of its call, expected it in the next turn`
  }
}

export function reportPairs(steps: readonly PairingStep[], ruleOf: PairRules, report: Report): void {
  for (const problem of findPairProblems(steps)) report(ruleOf[problem.type], problem.path, pairMessage(problem))
}

/** Calls and results of canonical drafts, in order. */
function stepsOf(drafts: readonly Draft[], locate: Locate): readonly PairingStep[] {
  const steps: PairingStep[] = []
  for (const [index, draft] of drafts.entries()) {
    if (draft.role !== 'tool')
      steps.push({ type: draft.role === 'assistant' ? 'assistant' : 'other', path: locate(index) })
    for (const [at, part] of draft.parts.entries()) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
      if (part.providerExecuted === true) continue
      const path = locate(index, at)
      steps.push(
        part.type === 'tool-call' ? { type: 'call', id: part.id, path } : { type: 'result', id: part.callId, path },
      )
    }
  }
  return steps
}

/** Indexes of the reasoning parts that nothing follows in their run of assistant messages. */
export function trailingReasoning(drafts: readonly Draft[]): readonly (readonly [message: number, part: number])[] {
  const found: (readonly [number, number])[] = []
  let followed = false
  for (let index = drafts.length - 1; index >= 0; index--) {
    const draft = drafts[index]
    if (draft === undefined) continue
    if (draft.role !== 'assistant') followed = false
    else {
      for (let at = draft.parts.length - 1; at >= 0; at--) {
        if (draft.parts[at]?.type !== 'reasoning') followed = true
        else if (!followed) found.push([index, at])
      }
    }
  }
  return found.toReversed()
}

/** The invariants of every dialect (C2 to C10), on drafts. */
export function lintDrafts(
  drafts: readonly Draft[],
  locate: Locate,
  report: Report,
  pairRules: PairRules = PAIR_RULES,
): void {
  let started = false
  for (const [index, draft] of drafts.entries()) {
    if (draft.parts.length === 0)
      report('C6', locate(index), 'Cannot send a message without parts: expected at least one')
    if (draft.role === 'system' && started) {
      report('C10', locate(index), 'System message after the beginning: not every provider has a place for it')
    }
    if (draft.role !== 'system' && !started) {
      started = true
      const compacted = draft.parts.some((part) => part.type === 'data' && part.kind.endsWith(':compaction'))
      if (draft.role !== 'user' && !compacted)
        report(
          'C7',
          locate(index),
          `Transcript starts with role "${draft.role}": a window is safely cut before a user message`,
        )
    }
    for (const [at, part] of draft.parts.entries()) {
      const path = locate(index, at)
      if (!fitsRole(part, draft.role))
        report('C0', path, `Cannot send a ${part.type} part with role "${draft.role}": expected it elsewhere`)
      if (isBlankPart(part)) report('C6', path, `Cannot send an empty ${part.type} part: expected text`)
      if (isTorn(part))
        report('C4', path, 'Cannot send reasoning whose signature or id is damaged: expected it whole or not at all')
      if (part.type === 'tool-call' && parseArguments(part.arguments) === undefined) {
        report(
          'C9',
          path,
          `Cannot send the call "${part.id}": its arguments are not a JSON object, received "${part.arguments.slice(0, 40)}"`,
        )
      }
    }
  }
  for (const [index, at] of trailingReasoning(drafts)) {
    report('C5', locate(index, at), 'Cannot send reasoning that nothing follows: expected what it led to, or neither')
  }
  reportPairs(stepsOf(drafts, locate), pairRules, report)
  lintExecuted(drafts, locate, report)
}

/** Calls that the provider ran itself: a result needs an earlier call, but may come later than the next turn. */
function lintExecuted(drafts: readonly Draft[], locate: Locate, report: Report): void {
  const open = new Set<string>()
  const calls = drafts.flatMap((draft) => draft.parts.filter((part) => part.type === 'tool-call'))
  const seen = new Set(calls.filter((call) => call.providerExecuted !== true).map((call) => call.id))
  for (const [index, draft] of drafts.entries()) {
    for (const [at, part] of draft.parts.entries()) {
      if (part.type === 'tool-call' && part.providerExecuted === true) {
        if (seen.has(part.id))
          report('C2', locate(index, at), pairMessage({ type: 'duplicate-call', id: part.id, path: [] }))
        seen.add(part.id)
        open.add(part.id)
      }
      if (part.type !== 'tool-result' || part.providerExecuted !== true) continue
      if (part.callId === undefined || !open.delete(part.callId)) {
        report('C2', locate(index, at), pairMessage({ type: 'orphan', id: part.callId, path: [] }))
      }
    }
  }
}

/** Lints an array of drafts that may be anything. */
export function lintDaybook(value: unknown, report: Report): void {
  if (!isArray(value)) {
    report('C0', [], `Cannot read the transcript: received ${kindOf(value)}, expected an array of messages`)
    return
  }
  if (value.length === 0) report('C1', [], 'Cannot send a transcript without messages: expected at least one')
  let sound = true
  for (const [index, draft] of value.entries()) {
    if (isDraft(draft)) continue
    sound = false
    if (!isObject(draft) || !isArray(draft['parts'])) {
      report('C0', [index], `Cannot read the message: received ${kindOf(draft)}, expected { role, parts }`)
      continue
    }
    if (roleOf(draft['role']) === undefined)
      report(
        'C0',
        [index, 'role'],
        `Cannot read the role ${JSON.stringify(draft['role'])}: expected system, user, assistant or tool`,
      )
    else if (!isEnvelope(draft))
      report(
        'C0',
        [index],
        'Cannot read the message: id, name, tags, metadata, at or provider has another type than expected',
      )
    for (const [at, part] of draft['parts'].entries()) {
      if (!isPart(part))
        report(
          'C0',
          [index, 'parts', at],
          `Cannot read the part: received ${kindOf(part)}, expected a part of a known type`,
        )
    }
  }
  if (sound)
    lintDrafts(
      value as unknown as readonly Draft[],
      (message, part) => (part === undefined ? [message] : [message, 'parts', part]),
      report,
    )
}
