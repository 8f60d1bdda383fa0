import type { JSONValue } from '../../domain/json.ts'
import { field, isArray } from '../canonical/json.ts'
import type { TranscriptPath } from '../violation.ts'

/** An array of input items, a request body with `input`, or a response with `output`. */
export function responsesItems(
  wire: unknown,
): { readonly items: readonly JSONValue[]; readonly path: TranscriptPath } | undefined {
  if (isArray(wire)) return { items: wire, path: [] }
  const input = field(wire, 'input')
  if (typeof input === 'string') return { items: [{ type: 'message', role: 'user', content: input }], path: ['input'] }
  if (isArray(input)) return { items: input, path: ['input'] }
  const output = field(wire, 'output')
  return isArray(output) ? { items: output, path: ['output'] } : undefined
}

/** Messages may leave out their type. */
export function itemType(item: unknown): string | undefined {
  const type = field(item, 'type')
  if (typeof type === 'string') return type
  return type === undefined && typeof field(item, 'role') === 'string' ? 'message' : undefined
}

export function isAssistantMessage(item: unknown): boolean {
  return itemType(item) === 'message' && field(item, 'role') === 'assistant'
}

/** Pairs besides function calls (R10): the call, its answer, and the fields that tie them. */
const PAIRS: readonly (readonly [call: string, callKey: string, answer: string, answerKey: string])[] = [
  ['computer_call', 'call_id', 'computer_call_output', 'call_id'],
  ['shell_call', 'call_id', 'shell_call_output', 'call_id'],
  ['local_shell_call', 'call_id', 'local_shell_call_output', 'call_id'],
  ['apply_patch_call', 'call_id', 'apply_patch_call_output', 'call_id'],
  ['mcp_approval_request', 'id', 'mcp_approval_response', 'approval_request_id'],
  ['program', 'call_id', 'program_output', 'call_id'],
  ['tool_search_call', 'call_id', 'tool_search_output', 'call_id'],
]

const CALLS: ReadonlyMap<string, readonly [key: string, answer: string]> = new Map(
  PAIRS.map(([call, key, answer]) => [call, [key, answer]]),
)
const ANSWERS: ReadonlyMap<string, string> = new Map(PAIRS.map(([, , answer, key]) => [answer, key]))

/** Items that come from outside the model: they end its turn. */
export function isExternalItem(type: string | undefined): boolean {
  return (
    type !== undefined && (ANSWERS.has(type) || type === 'function_call_output' || type === 'custom_tool_call_output')
  )
}

/**
 * Indexes of halves that lack their other half. A hosted tool search has no call id and no other half; a shell that
 * OpenAI runs answers itself in the same list.
 */
export function unpaired(items: readonly unknown[]): readonly number[] {
  const open = new Map<string, number>()
  const lone: number[] = []
  for (const [index, item] of items.entries()) {
    const type = itemType(item) ?? ''
    const call = CALLS.get(type)
    const key = call?.[0] ?? ANSWERS.get(type)
    if (key === undefined) continue
    const id = field(item, key)
    if (typeof id !== 'string') {
      if (id !== null || !type.startsWith('tool_search')) lone.push(index)
    } else if (call !== undefined) {
      const name = `${call[1]} ${id}`
      const earlier = open.get(name)
      if (earlier !== undefined) lone.push(earlier)
      open.set(name, index)
    } else if (!open.delete(`${type} ${id}`)) lone.push(index)
  }
  return [...lone, ...open.values()]
}

/** Whether an item can be what a reasoning item led to (R3). */
export function isLedTo(item: unknown): boolean {
  const type = itemType(item)
  if (type === undefined || type === 'reasoning' || type === 'compaction' || type === 'compaction_trigger') return false
  return type === 'message' ? isAssistantMessage(item) : !isExternalItem(type)
}

/** Whether an item ends the model's turn. */
export function endsTurn(item: unknown): boolean {
  const type = itemType(item)
  return type === 'message' ? !isAssistantMessage(item) : isExternalItem(type)
}

/** R4: models that reason tie their items to their reasoning. Nothing when the name does not say. */
export function isReasoningModel(model: string | undefined): boolean {
  return model !== undefined && /^(gpt-[5-9]|o\d|codex|computer-use)/.test(model) && !model.includes('chat')
}

/** Indexes of items with an id of OpenAI's whose turn has no reasoning before them. */
export function withoutReasoning(items: readonly unknown[]): readonly number[] {
  const found: number[] = []
  let reasoned = false
  for (const [index, item] of items.entries()) {
    const id = field(item, 'id')
    if (endsTurn(item)) reasoned = false
    if (itemType(item) === 'reasoning' || (itemType(item) === 'item_reference' && String(id).startsWith('rs_')))
      reasoned = true
    if (
      !reasoned &&
      typeof id === 'string' &&
      /^(msg|fc)_/.test(id) &&
      !endsTurn(item) &&
      itemType(item) !== 'item_reference'
    )
      found.push(index)
  }
  return found
}
