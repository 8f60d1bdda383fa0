import { defined } from '../../domain/defined.ts'
import { CONTINUE, EMPTY_CONVERSATION } from '../canonical/marks.ts'
import type { Writing } from '../codec.ts'
import { refusesPrefill } from './model.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicPrompt } from './types.ts'

export const MESSAGES_MAX = 100_000
export const CACHE_BREAKPOINTS_MAX = 4

/** The rules on the whole prompt: its length, its end, and how many cache marks it has. */
export function finishAnthropic(prompt: AnthropicPrompt, writing: Writing): AnthropicPrompt {
  const messages = endWell(cut(prompt.messages, writing), writing)
  return limitCacheMarks({ ...prompt, messages: leadWithThinking(messages, writing) }, writing)
}

/** A15: the oldest messages go, up to a user message that answers no call. */
function cut(messages: AnthropicMessage[], writing: Writing): AnthropicMessage[] {
  if (messages.length <= MESSAGES_MAX) return messages
  const from = messages.findIndex((message, index) => index >= messages.length - MESSAGES_MAX && isUserTurn(message))
  const kept = from === -1 ? [] : messages.slice(from)
  writing.note(
    'A15',
    'dropped',
    undefined,
    `Left out the ${messages.length - kept.length} oldest messages: expected at most ${MESSAGES_MAX}`,
  )
  return kept.length === 0 ? [{ role: 'user', content: [{ type: 'text', text: EMPTY_CONVERSATION }] }] : kept
}

function isUserTurn(message: AnthropicMessage): boolean {
  if (message.role !== 'user') return false
  return typeof message.content === 'string' || message.content.some((block) => block.type !== 'tool_result')
}

/** A10: no white space at the end of a reply that the model is to continue, and on newer models no such reply. */
function endWell(messages: AnthropicMessage[], writing: Writing): AnthropicMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return messages
  if (writing.options.thinking === true || refusesPrefill(writing.options.model)) {
    writing.note(
      'A10',
      'synthesised',
      undefined,
      `Added a user message "${CONTINUE}": this model takes no assistant message at the end`,
    )
    return [...messages, { role: 'user', content: [{ type: 'text', text: CONTINUE }] }]
  }
  const block = Array.isArray(last.content) ? last.content.at(-1) : undefined
  if (block?.type !== 'text' || block.text === block.text.trimEnd()) return messages
  writing.note('A10', 'rewrote', undefined, 'Trimmed white space at the end of the last assistant message')
  const content: AnthropicBlock[] = [...last.content.slice(0, -1), { ...block, text: block.text.trimEnd() }]
  return [...messages.slice(0, -1), { ...last, content }]
}

/** Index of the first message after the last user turn: what belongs to the tool loop that is still going on. */
export function currentTurnStart(messages: readonly AnthropicMessage[]): number {
  return messages.findLastIndex(isUserTurn) + 1
}

export function lacksThinking(message: AnthropicMessage): boolean {
  if (message.role !== 'assistant' || !Array.isArray(message.content)) return false
  const first = message.content[0]?.type
  return (
    message.content.some((block) => block.type === 'tool_use') && first !== 'thinking' && first !== 'redacted_thinking'
  )
}

/**
 * A11: thinking that is lost cannot be made up, but a turn that the user has ended needs none. A line from the user
 * after the results ends it.
 */
function leadWithThinking(messages: AnthropicMessage[], writing: Writing): AnthropicMessage[] {
  if (writing.options.thinking !== true || !messages.slice(currentTurnStart(messages)).some(lacksThinking))
    return messages
  const last = messages.at(-1)
  writing.note(
    'A11',
    'synthesised',
    undefined,
    `Added the user text "${CONTINUE}": the turn before it has lost its thinking`,
  )
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [{ type: 'text', text: CONTINUE }] }]
  const before = Array.isArray(last.content) ? last.content : [{ type: 'text' as const, text: last.content }]
  return [...messages.slice(0, -1), { ...last, content: [...before, { type: 'text', text: CONTINUE }] }]
}

/** A15: the first four marks stay. */
function limitCacheMarks(prompt: AnthropicPrompt, writing: Writing): AnthropicPrompt {
  let marks = 0
  function limit<B extends AnthropicBlock>(block: B): B {
    if (typeof block !== 'object' || !('cache_control' in block) || block.cache_control === null) return block
    marks += 1
    if (marks <= CACHE_BREAKPOINTS_MAX) return block
    const { cache_control: _, ...rest } = block
    writing.note('A15', 'dropped', undefined, `Left out a cache breakpoint: expected at most ${CACHE_BREAKPOINTS_MAX}`)
    return rest as unknown as B
  }
  const system = prompt.system?.map(limit)
  const messages = prompt.messages.map((message) => {
    if (!Array.isArray(message.content)) return message
    const content = message.content.map(limit)
    return content.every((block, index) => block === message.content[index]) ? message : { ...message, content }
  })
  return { ...prompt, ...defined({ system }), messages }
}
