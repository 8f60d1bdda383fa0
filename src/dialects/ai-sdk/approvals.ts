import type { Draft } from '../../domain/message.ts'
import type { DataPart } from '../../domain/part.ts'
import { field } from '../canonical/json.ts'

/**
 * V7, and its like for results that the provider sent late: tells parts that still have what they refer to from those
 * that lost it.
 */
export function approvals(drafts: readonly Draft[]): (part: DataPart) => boolean {
  const calls = new Set<unknown>()
  const open = new Set<unknown>()
  const requests = new Set<unknown>()
  const sound = new Set<DataPart>()
  for (const draft of drafts) {
    for (const part of draft.parts) {
      if (part.type === 'tool-call') calls.add(part.id)
      if (part.type === 'tool-call' && part.providerExecuted === true) open.add(part.id)
      if (part.type === 'tool-result') open.delete(part.callId)
      if (part.type === 'data' && refersWell(part)) sound.add(part)
    }
  }
  function refersWell(part: DataPart): boolean {
    const approval = field(part.data, 'approvalId')
    if (part.kind === 'ai-sdk:tool-approval-response') return requests.has(approval)
    if (part.kind === 'ai-sdk:tool-result') return open.delete(field(part.data, 'callId'))
    if (part.kind !== 'ai-sdk:tool-approval-request') return true
    const asked = calls.has(field(part.data, 'toolCallId'))
    if (asked) requests.add(approval)
    return asked
  }
  return (part) => sound.has(part)
}

/** Calls whose approval the last message answers: the SDK runs them itself, so that they have no result yet. */
export function awaitedCalls(drafts: readonly Draft[]): ReadonlySet<string> {
  const sound = approvals(drafts)
  const answered = new Set(valuesOf(drafts.slice(-1), 'tool-approval-response', sound, 'approvalId'))
  const isAnswered = (part: DataPart): boolean => sound(part) && answered.has(field(part.data, 'approvalId'))
  return new Set(valuesOf(drafts, 'tool-approval-request', isAnswered, 'toolCallId').map(String))
}

function valuesOf(
  drafts: readonly Draft[],
  type: string,
  wanted: (part: DataPart) => boolean,
  key: string,
): readonly unknown[] {
  const parts = drafts.flatMap((draft) => draft.parts.filter((part) => part.type === 'data'))
  return parts.filter((part) => part.kind === `ai-sdk:${type}` && wanted(part)).map((part) => field(part.data, key))
}
