import type { JSONValue } from './json.ts'
import type { MediaPart, Part } from './part.ts'

/** What a part says. Bytes and provider fields are not text: `media` returns what stands for an image, a file or sound. */
export function partText(part: Part, media: (part: MediaPart) => string): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return `${part.name} ${part.arguments}`
    case 'tool-result':
      if (part.output.type === 'parts') return part.output.parts.map((shown) => partText(shown, media)).join('\n')
      return part.output.type === 'text' ? part.output.text : JSON.stringify(part.output.value)
    case 'agent-call':
      return `${part.agent} ${jsonText(part.request)}`
    case 'data':
      return jsonText(part.data)
    case 'audio':
      return part.transcript ?? media(part)
    default:
      return media(part)
  }
}

function jsonText(value: JSONValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
