import type { Message } from '../domain/message.ts'
import { trustOfMessage } from '../domain/trust.ts'
import type { LongTermItem } from '../recall/block/long-term-item.ts'
import { textOf } from '../domain/text-of.ts'

export function fromMessage(message: Message, session: string): LongTermItem {
  const { at, seq, role, name } = message
  return {
    id: `${session}#${seq}`,
    speaker: name ?? role,
    at,
    trust: trustOfMessage(message),
    text: shown(message),
  }
}

/** A message without text is shown by its parts: calls and results were searched too. */
function shown(message: Message): string {
  const text = textOf(message)
  return text === '' ? JSON.stringify(message.parts) : text
}
