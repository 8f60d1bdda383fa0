import type { Draft } from '../../domain/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import type { Writing } from '../codec.ts'

/** Who answers whom, decided once for the whole transcript. */
export interface Assignment {
  /** Keyed by the call as `rename` gives it back. */
  readonly resultOf: ReadonlyMap<ToolCallPart, ToolResultPart>
  readonly callOf: ReadonlyMap<ToolResultPart, ToolCallPart>
  readonly duplicates: ReadonlySet<ToolResultPart>
  /** From a result that got a new id back to the one in the transcript. */
  readonly original: ReadonlyMap<ToolResultPart, ToolResultPart>
  /** The draft with repeated call ids made unique. */
  readonly rename: (draft: Draft) => Draft
  /** The result with the id of the call it answers. */
  readonly answer: (result: ToolResultPart, call: ToolCallPart) => ToolResultPart
}

/**
 * Pairs results with calls: first with the newest open call of the same id before them, then (for results that came too
 * early) with a later call that stayed open. A result without id takes the only open call, if there is exactly one.
 */
export function assignResults(drafts: readonly Draft[], note: Writing['note']): Assignment {
  const renamed = renameCalls(drafts, note)
  const resultOf = new Map<ToolCallPart, ToolResultPart>()
  const callOf = new Map<ToolResultPart, ToolCallPart>()
  const duplicates = new Set<ToolResultPart>()
  const orphans: ToolResultPart[] = []
  /** Open calls by the id the transcript used, newest last. */
  const open = new Map<string, ToolCallPart[]>()
  const answered = new Set<string>()
  let openCount = 0

  function pair(result: ToolResultPart, id: string): boolean {
    const call = open.get(id)?.pop()
    if (call === undefined) return false
    openCount -= 1
    resultOf.set(call, result)
    callOf.set(result, call)
    answered.add(id)
    return true
  }

  for (const draft of drafts) {
    for (const part of draft.parts) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) {
        const call = renamed.get(part) ?? part
        const calls = open.get(part.id)
        if (calls === undefined) open.set(part.id, [call])
        else calls.push(call)
        openCount += 1
      }
      if (part.type !== 'tool-result' || part.providerExecuted === true) continue
      const only = part.callId === undefined && openCount === 1 ? onlyOpen(open) : undefined
      const id = part.callId ?? only
      if (id !== undefined && pair(part, id)) continue
      if (id !== undefined && answered.has(id)) duplicates.add(part)
      orphans.push(part)
    }
  }
  for (const part of orphans) {
    if (part.callId !== undefined && !duplicates.has(part)) pair(part, part.callId)
  }

  const original = new Map<ToolResultPart, ToolResultPart>()
  function answer(result: ToolResultPart, call: ToolCallPart): ToolResultPart {
    if (result.callId === call.id) return result
    const next = { ...result, callId: call.id }
    original.set(next, result)
    return next
  }
  return { resultOf, callOf, duplicates, original, rename: (draft) => rename(draft, renamed), answer }
}

/** Linear in the number of different ids; asked only when exactly one call is open and a result names none. */
function onlyOpen(open: ReadonlyMap<string, readonly ToolCallPart[]>): string | undefined {
  for (const [id, calls] of open) if (calls.length > 0) return id
  return undefined
}

/** New ids for calls whose id was already used. */
function renameCalls(drafts: readonly Draft[], note: Writing['note']): ReadonlyMap<ToolCallPart, ToolCallPart> {
  const calls = drafts.flatMap((draft) => draft.parts.filter((part) => part.type === 'tool-call'))
  const used = new Set(calls.map((call) => call.id))
  const seen = new Set(calls.filter((call) => call.providerExecuted === true).map((call) => call.id))
  const renamed = new Map<ToolCallPart, ToolCallPart>()
  const counts = new Map<string, number>()
  for (const call of calls) {
    if (call.providerExecuted === true) continue
    if (!seen.has(call.id)) {
      seen.add(call.id)
      continue
    }
    const id = freshId(call.id, used, counts)
    note('C2', 'renamed', call, `Renamed the call "${call.id}" to "${id}": its id was already used`)
    renamed.set(call, { ...call, id })
  }
  return renamed
}

/** `id_2`, `id_3`, …: the first that is free. Remembers where it stopped, so that many equal ids stay linear. */
export function freshId(id: string, used: Set<string>, counts: Map<string, number>): string {
  let count = counts.get(id) ?? 1
  let next: string
  do {
    count += 1
    next = `${id}_${count}`
  } while (used.has(next))
  counts.set(id, count)
  used.add(next)
  return next
}

function rename(draft: Draft, renamed: ReadonlyMap<ToolCallPart, ToolCallPart>): Draft {
  const parts = draft.parts.map((part): Part => (part.type === 'tool-call' ? (renamed.get(part) ?? part) : part))
  return parts.every((part, index) => part === draft.parts[index]) ? draft : { ...draft, parts }
}
