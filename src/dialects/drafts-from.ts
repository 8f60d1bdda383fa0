import type { Dialect } from '../domain/dialect.ts'
import type { Draft } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import { checkDialect } from './check-arguments.ts'
import { convert } from './convert.ts'

/** Messages of a provider or a framework, as they are there, ready to append: one, several, or a whole prompt. */
export function draftsFrom(attempt: string, from: unknown, messages: unknown): readonly Draft[] {
  checkDialect(attempt, 'from', from)
  return convert(isTranscript(messages, from) ? messages : [messages], { from, to: 'daybook' })
}

/** The transcript of a host, ready to sync. Without a dialect its messages are ours. */
export function transcriptFrom(dialect: Dialect | undefined, messages: unknown): readonly NewMessage[] {
  if (dialect !== undefined) return draftsFrom('sync', dialect, messages)
  if (!Array.isArray(messages)) refuse('sync', 'messages', messages, 'an array of messages')
  return messages as readonly NewMessage[]
}

/** A list, or the object that some dialects put around it. */
function isTranscript(value: unknown, dialect: Dialect): boolean {
  if (Array.isArray(value)) return true
  const around = dialect === 'gemini' ? 'contents' : 'messages'
  return typeof value === 'object' && value !== null && around in value
}
