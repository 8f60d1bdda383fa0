import { hash } from 'node:crypto'

import type { Message } from '../../../src/domain/message.ts'

/** The text that belongs to a key: of any length up to `bytesMax`, and the same in every process. */
export function textOf(key: string, bytesMax: number = 2_000): string {
  const digest = hash('sha256', key)
  const length = Number.parseInt(digest.slice(0, 6), 16) % bytesMax
  return `${key} ${digest.repeat(Math.ceil(length / digest.length)).slice(0, length)}`
}

export function sha(text: string): string {
  return hash('sha256', text)
}

export function textOfMessage(message: Pick<Message, 'parts'>): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')
}
