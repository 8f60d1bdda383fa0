import { afterEach } from 'vitest'
import type { MemoryOptions } from '../../../src/api/open-memory.ts'
import type { NewMessage } from '../../../src/domain/new-message.ts'
import type { Draft } from '../../../src/domain/message.ts'
import type { Memory } from '../../../src/api/memory.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Tokenizer } from '../../../src/ports/tokenizer.ts'
import type { Session } from '../../../src/api/session.ts'

const open: Memory[] = []
afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
})

/** Tokens are words here, so that an example can be counted by hand: a message costs 3 and its words. */
export const words: Tokenizer = {
  name: 'words',
  exact: false,
  count: (said) => said.split(/\s+/).filter(Boolean).length,
}

export async function memoryOf(options: MemoryOptions = { tokenizer: words }, location = ':memory:'): Promise<Memory> {
  const memory = await openMemory(location, options)
  open.push(memory)
  return memory
}

export async function chatWith(...messages: readonly NewMessage[]): Promise<Session> {
  const chat = (await memoryOf()).scope('acme').session('chat')
  if (messages.length > 0) await chat.append(messages)
  return chat
}

export function system(content: string): NewMessage {
  return { role: 'system', content }
}

export function user(content: string, more: Partial<NewMessage> = {}): NewMessage {
  return { role: 'user', content, ...more }
}

export function assistant(content: string): NewMessage {
  return { role: 'assistant', content }
}

/** `call('a', 'b')`: an assistant's message with the calls a and b of the tool `look`. */
export function call(...ids: readonly string[]): NewMessage {
  return { role: 'assistant', toolCalls: ids.map((id) => ({ id, name: 'look', arguments: { at: id } })) }
}

/** `results('a', 'b')`: one tool message with both. */
export function results(...ids: readonly string[]): NewMessage {
  return {
    role: 'tool',
    parts: ids.map((id) => ({
      type: 'tool-result',
      callId: id,
      name: 'look',
      output: { type: 'text', text: `saw ${id}` },
    })),
  }
}

/** So many words. */
export function text(count: number, word = 'word'): string {
  return Array.from({ length: count }, () => word).join(' ')
}

/** A context as lines: `user: hello`, `call a b`, `result a: saw a`. */
export function told(messages: readonly Draft[]): readonly string[] {
  return messages.flatMap(({ role, parts }) => {
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
    const lines = parts.flatMap((part) => {
      if (part.type === 'text') return [`${role}: ${part.text}`]
      if (part.type !== 'tool-result') return []
      return [`result ${part.callId}: ${part.output.type === 'text' ? part.output.text : part.output.type}`]
    })
    return calls.length === 0 ? lines : [...lines, `call ${calls.join(' ')}`]
  })
}
