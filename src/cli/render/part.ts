import type { MediaSource, Part, ToolOutput } from '../../domain/part.ts'
import type { Look } from '../look.ts'
import { terminalLine, terminalText, terminalJSON } from '../visible.ts'
import { number } from './layout.ts'

/** One part of a message, as lines for a person. */
export function renderPart(part: Part, look: Look): string {
  switch (part.type) {
    case 'text':
      return terminalText(part.text)
    case 'reasoning':
      return look.paint('dim', `(thinks) ${part.text === '' ? 'redacted' : terminalText(part.text)}`)
    case 'tool-call':
      return `${look.paint('cyan', `→ ${terminalLine(part.name)}`)}${look.paint('dim', callArguments(part.arguments))} ${look.paint('dim', terminalLine(part.id))}`
    case 'tool-result': {
      const failed = part.outcome !== undefined && part.outcome !== 'ok'
      const mark = look.paint(
        failed ? 'red' : 'cyan',
        `← ${terminalLine(part.name ?? 'result')}${failed ? ` (${part.outcome})` : ''}`,
      )
      const answers = part.callId === undefined ? '' : ` ${look.paint('dim', terminalLine(part.callId))}`
      return `${mark}${answers}\n${outputText(part.output)}`
    }
    case 'agent-call':
      return `${look.paint('cyan', `⇒ ${terminalLine(part.agent)}`)} ${terminalJSON(part.request)}`
    case 'data':
      return `${look.paint('dim', `{${terminalLine(part.kind)}}`)} ${terminalJSON(part.data)}`
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
        .map(([key, item]) => `${terminalLine(key)}: ${terminalJSON(item)}`)
        .join(', ')})`
  } catch {
    // half-written when the stream was cut: shown as it is
  }
  return `(${terminalLine(json)})`
}

function outputText(output: ToolOutput): string {
  if (output.type === 'text') return terminalText(output.text)
  if (output.type === 'json') return terminalJSON(output.value)
  return output.parts
    .map((part) => (part.type === 'text' ? terminalText(part.text) : mediaText(part.type, part.source, part.mediaType)))
    .join('\n')
}

function mediaText(type: string, source: MediaSource, mediaType: string | undefined): string {
  const kind = mediaType === undefined ? type : `${type} ${terminalLine(mediaType)}`
  if (source.type === 'url') return `[${kind}: ${terminalLine(source.url)}]`
  return source.type === 'blob' ? `[${kind}: ${number(source.bytes)} bytes, ${source.hash.slice(0, 12)}]` : `[${kind}]`
}
