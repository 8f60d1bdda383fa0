import type { Message } from '../domain/message.ts'
import type { NewMessage, NewPart } from '../domain/new-message.ts'
import type { Part } from '../domain/part.ts'
import { refuse } from '../domain/refuse.ts'
import type { Revision } from '../api/messages.ts'

/** The message that a revision asks for, as it would be appended. */
export function revised(current: Message, patch: Revision): NewMessage {
  const { role, name, tags, metadata, provider, incomplete } = current
  const { content, parts, data, images, toolCalls, agentCalls, ...fields } = patch
  const kept = Object.entries({ name, tags, metadata, provider, incomplete, ...fields }).filter(
    ([, value]) => value != null,
  )
  const whole = parts ?? (typeof content === 'string' ? undefined : content)
  if (whole != null) {
    const [first] = current.parts.flatMap((part) =>
      part.type === 'tool-result' && part.callId !== undefined ? [part.callId] : [],
    )
    return {
      ...Object.fromEntries(kept),
      role,
      content: whole,
      ...(role === 'tool' && first !== undefined ? { toolCallId: first } : {}),
    }
  }
  let next: readonly NewPart[] = current.parts
  if (typeof content === 'string') next = role === 'tool' ? withOutput(current, content) : withText(next, content)
  if (images !== undefined)
    next = replaceKind(
      next,
      'image',
      images.map((source) => ({ type: 'image', source })),
    )
  if (toolCalls !== undefined)
    next = replaceKind(
      next,
      'tool-call',
      toolCalls.map((call) => ({ ...call, type: 'tool-call' })),
    )
  if (agentCalls !== undefined)
    next = replaceKind(
      next,
      'agent-call',
      agentCalls.map((call) => ({ ...call, type: 'agent-call' })),
    )
  if (data !== undefined) next = replaceKind(next, 'data', [{ type: 'data', data }])
  return { ...Object.fromEntries(kept), role, parts: next }
}

function withText(parts: readonly NewPart[], text: string): readonly NewPart[] {
  return replaceKind(parts, 'text', text === '' ? [] : [{ type: 'text', text }])
}

/** New parts stand where the first of their kind stood, or at the end. Blocks of other dialects are not the caller's data. */
function replaceKind(
  parts: readonly NewPart[],
  kind: Part['type'],
  replacement: readonly NewPart[],
): readonly NewPart[] {
  const own = (part: NewPart): boolean =>
    part.type === kind && (part.type !== 'data' || (part.kind ?? 'structured') === 'structured')
  const at = parts.findIndex(own)
  const others = parts.filter((part) => !own(part))
  const before = at < 0 ? others.length : parts.slice(0, at).filter((part) => !own(part)).length
  return [...others.slice(0, before), ...replacement, ...others.slice(before)]
}

function withOutput(current: Message, text: string): readonly NewPart[] {
  const results = current.parts.filter((part) => part.type === 'tool-result')
  if (results.length !== 1)
    refuse('revise', 'content', text, `parts, because the message has ${results.length} results`)
  return current.parts.map((part) => (part.type === 'tool-result' ? { ...part, output: { type: 'text', text } } : part))
}
