import { describe, expect, it } from 'vitest'
import { chatgpt } from '../../src/archive/importers/chatgpt.ts'
import { claude } from '../../src/archive/importers/claude.ts'
import type { ImportedConversation } from '../../src/archive/importers/imported-item.ts'
import { sessionsOf } from '../../src/archive/importers/sessions-of.ts'

const MESSAGES = 1_000
const place = { file: 'conversations.json' }
const exports = [
  {
    format: claude,
    record: {
      uuid: 'u',
      name: 'Orders',
      chat_messages: Array.from({ length: MESSAGES }, (_, n) => ({
        uuid: `m${n}`,
        sender: 'human',
        text: `Order ${n}`,
      })),
    },
  },
  {
    format: chatgpt,
    record: {
      id: 'c',
      mapping: Object.fromEntries(
        Array.from({ length: MESSAGES }, (_, n) => [
          `m${n}`,
          {
            id: `m${n}`,
            parent: n === 0 ? null : `m${n - 1}`,
            children: [`m${n + 1}`],
            message: { author: { role: 'user' }, content: { content_type: 'text', parts: [`Order ${n}`] } },
          },
        ]),
      ),
    },
  },
]

describe('[walls-294] a conversation of many messages', () => {
  it.each(exports)('is read and divided in steps: $format.name', ({ format, record }) => {
    const read = [...format.open({ name: place.file, stem: 'conversations' }).take(record, place)]
    expect(read.filter(({ type }) => type === 'pause').length).toBeGreaterThanOrEqual(MESSAGES)
    const [conversation] = read.flatMap((item): ImportedConversation[] =>
      item.type === 'conversation' ? [item.conversation] : [],
    )
    const work = sessionsOf(conversation as ImportedConversation, format.name, 1_000_000)
    let pauses = 0
    let next = work.next()
    for (; next.done !== true; next = work.next()) pauses += 1
    expect(pauses).toBeGreaterThanOrEqual(MESSAGES)
    expect(next.value.sessions.map(({ messages }) => messages.length)).toEqual([MESSAGES])
  })
})
