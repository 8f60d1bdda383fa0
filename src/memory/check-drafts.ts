import { isPlainObject } from '../domain/check-json.ts'
import type { Draft } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'

const WANTED = 'messages with parts, as they are given back'

/** Accepts messages that somebody wants the media of: as far as media are looked for in them. */
export function checkDrafts(attempt: string, messages: unknown): asserts messages is readonly Draft[] {
  if (!Array.isArray(messages)) refuse(attempt, 'messages', messages, 'an array of messages')
  for (const message of messages as readonly unknown[]) {
    if (!isPlainObject(message)) refuse(attempt, 'messages', message, WANTED)
    checkParts(attempt, message['parts'])
  }
}

function checkParts(attempt: string, parts: unknown): void {
  if (!Array.isArray(parts)) refuse(attempt, 'messages', parts, WANTED)
  for (const part of parts as readonly unknown[]) {
    if (!isPlainObject(part)) refuse(attempt, 'messages', part, WANTED)
    if ('source' in part) checkSource(attempt, part['source'])
    if (part['type'] !== 'tool-result') continue
    const { output } = part
    if (!isPlainObject(output)) refuse(attempt, 'messages', output, WANTED)
    if (output['type'] === 'parts') checkParts(attempt, output['parts'])
  }
}

function checkSource(attempt: string, source: unknown): void {
  if (!isPlainObject(source)) refuse(attempt, 'messages', source, WANTED)
  if (source['type'] === 'blob' && typeof source['hash'] !== 'string')
    refuse(attempt, 'messages', source['hash'], 'the hash of a blob')
}
