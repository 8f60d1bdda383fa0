import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part, TextPart, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import type { Writing } from '../codec.ts'
import { argumentsText } from './arguments.ts'
import { trailingReasoning } from './lint.ts'
import { EMPTY_CONVERSATION, INTERRUPTED } from './marks.ts'
import { outputText } from './output.ts'
import { assignResults } from './assign.ts'
import { fitsRole, isBlankPart, isTorn } from './shape.ts'

type Note = Writing['note']

/**
 * Makes drafts satisfy C1 to C9. Linear in the number of parts; drafts that need nothing keep their identity.
 *
 * In this order: parts first, then pairs, then reasoning that lost what it led to. Cutting the
 * start and fitting a target are the target's business (`express.ts`).
 */
export function repairDrafts(
  drafts: readonly Draft[],
  note: Note,
  awaited: ReadonlySet<string> = new Set(),
): readonly Draft[] {
  const clean = distinct(drafts).flatMap((draft) => cleanParts(draft, note))
  const paired = pairUp(pairExecuted(clean, note), note, awaited)
  const whole = dropTrailingReasoning(paired, note)
  if (whole.length > 0) return whole
  note('C1', 'synthesised', undefined, `Added a user message "${EMPTY_CONVERSATION}": nothing usable was left`)
  return [{ role: 'user', parts: [{ type: 'text', text: EMPTY_CONVERSATION }] }]
}

/** Pairing goes by identity, so a part that stands in two places is copied. */
function distinct(drafts: readonly Draft[]): readonly Draft[] {
  const seen = new Set<object>()
  return drafts.map((draft) => {
    const twice = new Set(draft.parts).size < draft.parts.length || draft.parts.some((part) => seen.has(part))
    for (const part of draft.parts) seen.add(part)
    return twice
      ? withParts(
          draft,
          draft.parts.map((part) => ({ ...part })),
        )
      : draft
  })
}

/** A copy of a draft with other parts. */
export function withParts(draft: Draft, parts: readonly Part[]): Draft {
  return { ...draft, parts }
}

/** Drops what says nothing, wraps arguments, and sends results to a tool message of their own. */
function cleanParts(draft: Draft, note: Note): readonly Draft[] {
  const kept: Part[] = []
  const strays: Part[] = []
  let changed = false
  for (const part of draft.parts) {
    const next = cleanPart(part, draft, note)
    if (next === part && fitsRole(part, draft.role)) {
      kept.push(part)
      continue
    }
    changed = true
    if (next === undefined) continue
    if (fitsRole(next, draft.role)) kept.push(next)
    else strays.push(next)
  }
  if (!changed) return draft.parts.length === 0 ? dropped(draft, note) : [draft]
  const home = kept.length === 0 ? [] : [withParts(draft, kept)]
  return [...home, ...rehome(strays, note)]
}

function dropped(draft: Draft, note: Note): readonly Draft[] {
  note('C6', 'dropped', draft, 'Left out a message without parts')
  return []
}

function cleanPart(part: Part, draft: Draft, note: Note): Part | undefined {
  if (isBlankPart(part)) {
    note('C6', 'dropped', part, `Left out an empty ${part.type} part`)
    return undefined
  }
  if (isTorn(part)) {
    note('C4', 'dropped', part, 'Left out reasoning whose signature or id was damaged')
    return undefined
  }
  if ((part.type === 'reasoning' || part.type === 'tool-call') && draft.role !== 'assistant') {
    note('C0', 'dropped', part, `Left out a ${part.type} part of a message with role "${draft.role}"`)
    return undefined
  }
  if (part.type !== 'tool-call') return part
  const text = argumentsText(part.arguments)
  if (text === part.arguments) return part
  note('C9', 'rewrote', part, `Wrapped the arguments of the call "${part.id}", which were not a JSON object`)
  return { ...part, arguments: text }
}

/** Results that stood with another role get a tool message; other things that stood with role tool get a user message. */
function rehome(strays: readonly Part[], note: Note): readonly Draft[] {
  if (strays.length === 0) return []
  for (const part of strays)
    note('C0', 'moved', part, `Moved a ${part.type} part to a message of the role it belongs to`)
  const results = strays.filter((part) => part.type === 'tool-result').map(clientResult)
  const others = strays.filter((part) => part.type !== 'tool-result')
  const drafts: Draft[] = []
  if (results.length > 0) drafts.push({ role: 'tool', parts: results })
  if (others.length > 0) drafts.push({ role: 'user', parts: others })
  return drafts
}

function clientResult(part: ToolResultPart): ToolResultPart {
  const { providerExecuted: _, ...rest } = part
  return rest
}

/** Takes out results of calls that the provider ran itself when that call is missing, and calls whose id it used before. */
function pairExecuted(drafts: readonly Draft[], note: Note): readonly Draft[] {
  const open = new Set<string>()
  const seen = new Set<string>()
  function stays(part: Part): boolean {
    if (part.type === 'tool-call' && part.providerExecuted === true) {
      if (seen.has(part.id)) {
        note('C2', 'dropped', part, `Left out a second call "${part.id}" that the provider ran itself`)
        return false
      }
      seen.add(part.id)
      open.add(part.id)
    }
    if (part.type !== 'tool-result' || part.providerExecuted !== true) return true
    if (part.callId !== undefined && open.delete(part.callId)) return true
    note('C2', 'dropped', part, `Left out a result "${part.callId ?? ''}" of the provider whose call is missing`)
    return false
  }
  return drafts.flatMap((draft) => {
    const parts = draft.parts.filter(stays)
    if (parts.length === draft.parts.length) return [draft]
    return parts.length === 0 ? [] : [withParts(draft, parts)]
  })
}

/** Gives every call exactly one result, right after its run of assistant messages; awaited ones at the end get none. */
function pairUp(drafts: readonly Draft[], note: Note, awaited: ReadonlySet<string>): readonly Draft[] {
  const plan = assignResults(drafts, note)
  const output: Draft[] = []
  let open: ToolCallPart[] = []
  let here = new Set<ToolResultPart>()
  /** User messages made of orphans: they wait until the results before them are complete. */
  let waiting: Draft[] = []

  function settle(pending?: ReadonlySet<string>): void {
    const late: ToolResultPart[] = []
    for (const call of open) {
      const answer = plan.resultOf.get(call)
      if (answer !== undefined && !here.has(answer)) late.push(moved(answer, call, plan, note))
      if (answer === undefined && pending?.has(call.id) !== true) late.push(interrupted(call, note))
    }
    const last = output.at(-1)
    // Approvals count in the last message only: what comes late must not stand after them.
    if (late.length > 0 && pending !== undefined && last?.role === 'tool')
      output.splice(-1, 1, withParts(last, [...last.parts, ...late]))
    else if (late.length > 0) output.push({ role: 'tool', parts: late })
    for (const draft of waiting) output.push(draft)
    open = []
    here = new Set()
    waiting = []
  }

  for (const draft of drafts) {
    const isAssistant = draft.role === 'assistant'
    if (!isAssistant && draft.role !== 'tool') settle()
    if (isAssistant && (here.size > 0 || waiting.length > 0)) settle()
    if (draft.role === 'tool') {
      const { stay, orphans } = sortResults(draft, new Set(open), plan, note)
      if (stay !== undefined) {
        output.push(stay)
        for (const part of stay.parts) if (part.type === 'tool-result') here.add(plan.original.get(part) ?? part)
      }
      if (orphans.length > 0) waiting.push({ role: 'user', parts: orphans })
      continue
    }
    const next = plan.rename(draft)
    output.push(next)
    for (const part of next.parts) if (part.type === 'tool-call' && part.providerExecuted !== true) open.push(part)
  }
  settle(awaited.size > 0 && waiting.length === 0 ? awaited : undefined)
  return output
}

type Plan = ReturnType<typeof assignResults>

/** Which parts of a tool message answer the calls right before it; orphans become quoted text. */
function sortResults(
  draft: Draft,
  open: ReadonlySet<ToolCallPart>,
  plan: Plan,
  note: Note,
): { readonly stay: Draft | undefined; readonly orphans: readonly TextPart[] } {
  const stay: Part[] = []
  const orphans: TextPart[] = []
  for (const part of draft.parts) {
    if (part.type !== 'tool-result') {
      stay.push(part)
      continue
    }
    const call = plan.callOf.get(part)
    if (call === undefined) orphans.push(...quoted(part, plan, note))
    else if (open.has(call)) stay.push(plan.answer(part, call))
  }
  if (stay.length === 0) return { stay: undefined, orphans }
  const same = stay.length === draft.parts.length && stay.every((part, index) => part === draft.parts[index])
  return { stay: same ? draft : withParts(draft, stay), orphans }
}

function quoted(part: ToolResultPart, plan: Plan, note: Note): readonly TextPart[] {
  if (plan.duplicates.has(part)) {
    note('C2', 'dropped', part, `Left out a second result of the call "${part.callId ?? ''}"`)
    return []
  }
  note('C2', 'rewrote', part, `Quoted the result "${part.callId ?? ''}" as user text: it does not belong to a call`)
  const label = part.name ?? part.callId ?? 'unknown'
  return [
    {
      type: 'text',
      text: `[tool result without its call: ${JSON.stringify(label)}] ${JSON.stringify(outputText(part.output))}`,
    },
  ]
}

function interrupted(call: ToolCallPart, note: Note): ToolResultPart {
  note('C2', 'synthesised', call, `Added an error result for the call "${call.id}": it had none`)
  const output = { type: 'text', text: INTERRUPTED } as const
  return { type: 'tool-result', callId: call.id, ...defined({ name: call.name }), output, outcome: 'interrupted' }
}

function moved(answer: ToolResultPart, call: ToolCallPart, plan: Plan, note: Note): ToolResultPart {
  note('C3', 'moved', answer, `Moved the result "${call.id}" to the turn after its call`)
  return plan.answer(answer, call)
}

/** Takes out reasoning that nothing follows, and messages that are then empty. */
export function dropTrailingReasoning(drafts: readonly Draft[], note: Note): readonly Draft[] {
  const trailing = trailingReasoning(drafts)
  if (trailing.length === 0) return drafts
  const byMessage = new Map<number, Set<number>>()
  for (const [index, at] of trailing) byMessage.set(index, (byMessage.get(index) ?? new Set()).add(at))
  return drafts.flatMap((draft, index) => {
    const gone = byMessage.get(index)
    if (gone === undefined) return [draft]
    for (const at of gone) note('C5', 'dropped', draft.parts[at], 'Left out reasoning that nothing followed')
    const parts = draft.parts.filter((_, at) => !gone.has(at))
    return parts.length === 0 ? [] : [withParts(draft, parts)]
  })
}
