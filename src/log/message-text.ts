import type { Draft } from '../domain/message.ts'
import type { MediaPart } from '../domain/part.ts'
import { partText } from '../domain/part-text.ts'

/** Everything in a message that a person could search for, one line per part. */
export function messageText(message: Draft): string {
  return message.parts
    .map((part) => partText(part, nameAndAddress))
    .filter((text) => text !== '')
    .join('\n')
}

function nameAndAddress(part: MediaPart): string {
  if (part.type === 'audio') return ''
  return [part.name, part.source.type === 'url' ? part.source.url : undefined]
    .filter((text) => text !== undefined)
    .join(' ')
}
