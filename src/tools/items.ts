import type { Message } from '../domain/message.ts'
import { TRUST_OF_ROLE, type Trust } from '../domain/trust.ts'
import type { LongTermItem } from '../recall/block/long-term-item.ts'
import type { RecalledItem } from './long-term-scope.ts'
import { textOf } from './message-text.ts'

export function fromRecalled({ kind, text, at, trust, source }: RecalledItem): LongTermItem {
  const { id, session, seq } = source
  const place = session == null ? '' : ` ${seq ?? ''} of session ${JSON.stringify(session)}`
  return { id, at, trust: toTrust(trust), source: `${kind}${place}`, text }
}

export function fromMessage(message: Message, session: string): LongTermItem {
  const { id, at, seq, role } = message
  return {
    id,
    at,
    trust: TRUST_OF_ROLE[role],
    source: `${role} message ${seq} of session ${JSON.stringify(session)}`,
    text: shown(message),
  }
}

/** Of several, the lowest: whatever is mixed is no better than its worst part. */
export function lowestTrust(messages: readonly Message[]): Trust {
  return messages.reduce<Trust>((lowest, { role }) => (TRUST_OF_ROLE[role] < lowest ? TRUST_OF_ROLE[role] : lowest), 3)
}

/** What no one vouched for is not trusted. */
function toTrust(value: number): Trust {
  return value === 1 || value === 2 || value === 3 ? value : 0
}

/** A message without text is shown by its parts: calls and results were searched too. */
function shown(message: Message): string {
  const text = textOf(message)
  return text === '' ? JSON.stringify(message.parts) : text
}
