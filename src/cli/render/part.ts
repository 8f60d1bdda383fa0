import type { MediaSource, Part, ToolOutput } from '../../domain/part.ts'
import type { Look } from '../look.ts'
import { oneLine, visible, visibleJSON } from '../visible.ts'
import { number } from './layout.ts'

/** One part of a message, as lines for a person. */
export function renderPart(part: Part, look: Look): string {
  switch (part.type) {
    case 'text':
      return visible(part.text)
    case 'reasoning':
      return look.paint('dim', `(thinks) ${part.text === '' ? 'redacted' : visible(part.text)}`)
    case 'tool-call':
      return `${look.paint('cyan', `→ ${oneLine(part.name)}`)}${look.paint('dim', callArguments(part.arguments))} ${look.paint('dim', oneLine(part.id))}`
    case 'tool-result': {
      const failed = part.outcome !== undefined && part.outcome !== 'ok'
      const mark = look.paint(
        failed ? 'red' : 'cyan',
        `← ${oneLine(part.name ?? 'result')}${failed ? ` (${part.outcome})` : ''}`,
      )
      const answers = part.callId === undefined ? '' : ` ${look.paint('dim', oneLine(part.callId))}`
      return `${mark}${answers}\n${outputText(part.output)}`
    }
    case 'agent-call':
      return `${look.paint('cyan', `⇒ ${oneLine(part.agent)}`)} ${visibleJSON(part.request)}`
    case 'data':
      return `${look.paint('dim', `{${oneLine(part.kind)}}`)} ${visibleJSON(part.data)}`
    default:
      return look.paint('dim', mediaText(part.type, part.source, 'mediaType' in part ? part.mediaType : undefined))
  }
}

/** `(id: 7731, late: true)` for a flat object; otherwise as it was written. */
function callArguments(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return `(${Object.entries(value)
        .map(([key, item]) => `${oneLine(key)}: ${visibleJSON(item)}`)
        .join(', ')})`
  } catch {
    // half-written when the stream was cut: shown as it is
  }
  return `(${oneLine(json)})`
}

function outputText(output: ToolOutput): string {
  if (output.type === 'text') return visible(output.text)
  if (output.type === 'json') return visibleJSON(output.value)
  return output.parts
    .map((part) => (part.type === 'text' ? visible(part.text) : mediaText(part.type, part.source, part.mediaType)))
    .join('\n')
}

function mediaText(type: string, source: MediaSource, mediaType: string | undefined): string {
  const kind = mediaType === undefined ? type : `${type} ${oneLine(mediaType)}`
  if (source.type === 'url') return `[${kind}: ${oneLine(source.url)}]`
  return source.type === 'blob' ? `[${kind}: ${number(source.bytes)} bytes, ${source.hash.slice(0, 12)}]` : `[${kind}]`
}
