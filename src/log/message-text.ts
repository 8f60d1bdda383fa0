import type { Draft } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'

/** Everything in a message that a person could search for, one part a line. Bytes and opaque provider fields are not text. */
export function messageText(message: Draft): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'image':
    case 'file':
      return [part.name, part.source.type === 'url' ? part.source.url : undefined]
        .filter((text) => text !== undefined)
        .join(' ')
    case 'audio':
      return part.transcript ?? ''
    case 'tool-call':
      return `${part.name} ${part.arguments}`
    case 'tool-result':
      if (part.output.type === 'text') return part.output.text
      return part.output.type === 'json'
        ? JSON.stringify(part.output.value)
        : part.output.parts.map(partText).join('\n')
    case 'agent-call':
      return `${part.agent} ${typeof part.request === 'string' ? part.request : JSON.stringify(part.request)}`
    case 'data':
      return typeof part.data === 'string' ? part.data : JSON.stringify(part.data)
  }
}
