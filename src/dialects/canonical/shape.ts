import type { Draft, Role } from '../../domain/message.ts'
import type { MediaSource, Part, ToolOutput } from '../../domain/part.ts'
import { isArray, isObject, stringOf } from './json.ts'
import { providerOf } from './provider.ts'

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool'] satisfies readonly Role[]

export function roleOf(value: unknown): Role | undefined {
  return typeof value === 'string' && ROLES.includes(value) ? (value as Role) : undefined
}

function isSource(value: unknown): value is MediaSource {
  if (!isObject(value)) return false
  if (value['type'] === 'url') return typeof value['url'] === 'string'
  if (value['type'] === 'base64') return typeof value['base64'] === 'string'
  return value['type'] === 'blob' && typeof value['hash'] === 'string' && typeof value['bytes'] === 'number'
}

function isOutput(value: unknown): value is ToolOutput {
  if (!isObject(value)) return false
  if (value['type'] === 'text') return typeof value['text'] === 'string'
  if (value['type'] === 'json') return value['value'] !== undefined
  const parts = value['parts']
  if (value['type'] !== 'parts' || !isArray(parts)) return false
  return parts.every((part) => isPart(part) && ['text', 'image', 'file', 'audio'].includes(part.type))
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

const OUTCOMES: readonly unknown[] = [undefined, 'ok', 'error', 'denied', 'interrupted']

/** Whether a value is a canonical part: what the rest of this folder may rely on. */
export function isPart(value: unknown): value is Part {
  if (!isObject(value)) return false
  if (value['provider'] !== undefined && providerOf(value['provider']) === undefined) return false
  const executed = value['providerExecuted']
  switch (value['type']) {
    case 'text':
    case 'reasoning':
      return typeof value['text'] === 'string'
    case 'image':
      return isSource(value['source']) && isText(value['mediaType']) && isText(value['name'])
    case 'file':
      return isSource(value['source']) && typeof value['mediaType'] === 'string' && isText(value['name'])
    case 'audio':
      return isSource(value['source']) && typeof value['mediaType'] === 'string' && isText(value['transcript'])
    case 'tool-call':
      if (executed !== undefined && executed !== true) return false
      return (
        stringOf(value['id']) !== undefined &&
        stringOf(value['name']) !== undefined &&
        stringOf(value['arguments']) !== undefined
      )
    case 'tool-result':
      if (executed !== undefined && executed !== true) return false
      return (
        isOutput(value['output']) &&
        isText(value['callId']) &&
        isText(value['name']) &&
        OUTCOMES.includes(value['outcome'])
      )
    case 'agent-call':
      return typeof value['agent'] === 'string' && value['request'] !== undefined && isText(value['id'])
    case 'data':
      return typeof value['kind'] === 'string' && value['data'] !== undefined
    default:
      return false
  }
}

/** Whether a part may stand in a message of this role. */
export function fitsRole(part: Part, role: Role): boolean {
  if (part.type === 'data') return true
  if (part.type === 'reasoning' || part.type === 'tool-call') return role === 'assistant'
  if (part.type === 'tool-result') return part.providerExecuted === true ? role === 'assistant' : role === 'tool'
  return role !== 'tool'
}

/** Whether a part says nothing: no text, and no opaque field that would make an empty text meaningful. */
export function isBlankPart(part: Part): boolean {
  return (part.type === 'text' || part.type === 'reasoning') && part.text === '' && part.provider === undefined
}

/** Whether an opaque field was torn: present, but empty or of another type. */
export function isTorn(part: Part): boolean {
  if (part.type !== 'reasoning') return false
  const { anthropic, openai, google } = part.provider ?? {}
  const fields = [
    anthropic?.['signature'],
    anthropic?.['redactedData'],
    openai?.['itemId'],
    openai?.['reasoningEncryptedContent'],
    google?.['thoughtSignature'],
  ]
  return fields.some((value) => value !== undefined && value !== null && (typeof value !== 'string' || value === ''))
}

/** Whether the fields of a message around its parts have their types. */
export function isEnvelope(value: unknown): boolean {
  if (!isObject(value)) return false
  const { tags, metadata, provider } = value
  if (!isText(value['id']) || !isText(value['name']) || !isText(value['at'])) return false
  if (tags !== undefined && !(isArray(tags) && tags.every((tag) => typeof tag === 'string'))) return false
  return (
    (metadata === undefined || isObject(metadata)) && (provider === undefined || providerOf(provider) !== undefined)
  )
}

export function isDraft(value: unknown): value is Draft {
  if (!isObject(value) || roleOf(value['role']) === undefined || !isEnvelope(value)) return false
  return isArray(value['parts']) && value['parts'].every(isPart)
}
