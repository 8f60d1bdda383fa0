import { field, isArray } from '../canonical/json.ts'
import { providerOf } from '../canonical/provider.ts'

const STATES: ReadonlySet<unknown> = new Set([
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
])

/** The tool that a part is about; nothing when it is no tool part. */
export function toolName(part: unknown): string | undefined {
  const type = field(part, 'type')
  if (type === 'dynamic-tool') return String(field(part, 'toolName'))
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

/** Whether a part lacks what its type needs, or has a type that is not on the closed list the SDK validates against. */
export function isMalformedUIPart(part: unknown): boolean {
  const type = field(part, 'type')
  if (typeof type !== 'string') return true
  const metadata = [
    field(part, 'providerMetadata'),
    field(part, 'callProviderMetadata'),
    field(part, 'resultProviderMetadata'),
  ]
  if (metadata.some((value) => value !== undefined && providerOf(value) === undefined)) return true
  if (type === 'text' || type === 'reasoning') return typeof field(part, 'text') !== 'string'
  if (type === 'file' || type === 'reasoning-file')
    return typeof field(part, 'mediaType') !== 'string' || typeof field(part, 'url') !== 'string'
  if (type === 'source-url')
    return typeof field(part, 'sourceId') !== 'string' || typeof field(part, 'url') !== 'string'
  if (type === 'steering-message') return typeof field(part, 'id') !== 'string' || !isSteering(field(part, 'parts'))
  if (type === 'source-document')
    return ['sourceId', 'mediaType', 'title'].some((key) => typeof field(part, key) !== 'string')
  if (type === 'custom') return typeof field(part, 'kind') !== 'string'
  if (type.startsWith('data-')) return field(part, 'data') === undefined
  return toolName(part) === undefined ? type !== 'step-start' : isMalformedTool(part, type)
}

function isSteering(parts: unknown): boolean {
  return (
    isArray(parts) &&
    parts.length > 0 &&
    parts.every(
      (part) =>
        ['text', 'file'].includes(String(field(part, 'type'))) &&
        !isMalformedUIPart(part) &&
        field(part, 'text') !== '',
    )
  )
}

function isMalformedTool(part: unknown, type: string): boolean {
  const state = field(part, 'state')
  const approval = field(part, 'approval')
  if (type === 'dynamic-tool' ? typeof field(part, 'toolName') !== 'string' : type === 'tool-') return true
  if (typeof field(part, 'toolCallId') !== 'string' || !STATES.has(state)) return true
  if (approval !== undefined && typeof field(approval, 'id') !== 'string') return true
  if (state === 'output-error') return typeof field(part, 'errorText') !== 'string'
  if (state === 'output-available') return field(part, 'output') === undefined
  const asked = state === 'approval-requested' || state === 'approval-responded' || state === 'output-denied'
  return asked && approval === undefined
}
