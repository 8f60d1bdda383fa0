import { readFileSync } from 'node:fs'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { bulk } from './bulk.ts'

const KINDS = ['coding', 'support', 'research', 'personal'] as const

/** A session as people write: with the sentences that a reader would keep. */
export interface HandWrittenSession {
  readonly kind: (typeof KINDS)[number]
  readonly title: string
  readonly messages: readonly NewMessage[]
  readonly keepers: readonly string[]
}

type Speaker = 'U' | 'A' | 'C' | 'R' | 'E'

/**
 * The hand-written sessions. In their files `===` begins a session; `U:`, `A:`, `C:`, `R:` and `E:` begin what the user says, what
 * the assistant says, a call, its result and a result that is an error; `* ` marks a sentence to keep; `~log api 50` stands for
 * fifty lines that a tool prints.
 */
export function readHandWritten(): readonly HandWrittenSession[] {
  return KINDS.flatMap((kind) => {
    const text = readFileSync(new URL(`${kind}.txt`, import.meta.url), 'utf8')
    return text
      .split(/^=== /m)
      .slice(1)
      .map((session, index) => readSession(kind, session, index))
  })
}

function readSession(kind: HandWrittenSession['kind'], session: string, index: number): HandWrittenSession {
  const [title = '', ...lines] = session.trimEnd().split('\n')
  const blocks: (Block & { readonly lines: string[] })[] = []
  const keepers: string[] = []
  for (const [at, line] of lines.entries()) {
    const [, speaker, first] = /^([UACRE]): (.*)$/.exec(line) ?? []
    const words = first ?? line
    if (speaker !== undefined) blocks.push({ speaker: speaker as Speaker, lines: [] })
    if (words.startsWith('* ')) keepers.push(words.slice(2))
    const said = words.startsWith('~') ? bulk(words, index * 1_000 + at) : [words.replace(/^\* /, '')]
    blocks.at(-1)?.lines.push(...said)
  }
  return { kind, title, messages: messagesOf(blocks), keepers }
}

interface Block {
  readonly speaker: Speaker
  readonly lines: readonly string[]
}

function messagesOf(blocks: readonly Block[]): readonly NewMessage[] {
  return blocks.flatMap((block, index): readonly NewMessage[] => {
    const at = Date.UTC(2026, 8, 7, 9) + index * 40_000
    const text = block.lines.join(' ')
    switch (block.speaker) {
      case 'U':
        return [{ role: 'user', content: block.lines.join('\n'), at }]
      case 'A':
        // What is said before a call is in the same message as the call.
        return blocks[index + 1]?.speaker === 'C' ? [] : [{ role: 'assistant', content: text, at }]
      case 'C': {
        const [, name = '', given = '{}'] = /^(\S+) (.*)$/.exec(text) ?? []
        const before = blocks[index - 1]
        const content = before?.speaker === 'A' ? before.lines.join(' ') : null
        return [{ role: 'assistant', content, toolCalls: [{ id: `call-${index}`, name, arguments: given }], at }]
      }
      case 'R':
      case 'E': {
        const outcome = block.speaker === 'E' ? ('error' as const) : ('ok' as const)
        const output = block.lines.join('\n')
        return [{ role: 'tool', parts: [{ type: 'tool-result', callId: `call-${index - 1}`, output, outcome }], at }]
      }
    }
  })
}
