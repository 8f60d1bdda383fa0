import type { JSONValue } from '../../domain/json.ts'

/** The values of a reply: its JSON, or the events of its stream. What is not JSON is left out. */
export function readReply(contentType: string, text: string): readonly JSONValue[] {
  const texts = contentType.includes('text/event-stream')
    ? text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []))
    : [text]
  return texts.flatMap((one) => {
    try {
      return [JSON.parse(one) as JSONValue]
    } catch {
      return []
    }
  })
}
