import { defined } from '../../domain/defined.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import type { TranscriptReading } from '../codec.ts'
import { isArray, isObject, stringOf } from './json.ts'
import { providerOf } from './provider.ts'
import { isDraft, isPart, roleOf } from './shape.ts'

/** Drafts out of anything: what is well formed stays the same object, the rest is salvaged part by part. */
export function readDaybook(value: unknown, reading: TranscriptReading): readonly Draft[] | undefined {
  if (!isArray(value)) return undefined
  const drafts: Draft[] = []
  for (const [index, message] of value.entries()) {
    const draft = isDraft(message) ? message : salvage(message)
    if (draft === undefined) continue
    for (const [at, part] of draft.parts.entries()) reading.at(part, [index, 'parts', at])
    reading.unit([draft], [message], [index])
    drafts.push(reading.at(draft, [index]))
  }
  return drafts
}

function salvage(message: unknown): Draft | undefined {
  if (!isObject(message)) return undefined
  const role = roleOf(message['role'])
  if (role === undefined) return undefined
  const { metadata, tags } = message
  return {
    role,
    parts: partsOf(message),
    ...defined({
      id: stringOf(message['id']),
      name: stringOf(message['name']),
      at: stringOf(message['at']),
      metadata: isObject(metadata) ? metadata : undefined,
      tags: isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : undefined,
      provider: providerOf(message['provider']),
    }),
  }
}

/** `content: 'text'` is the shorthand that `append` takes as well. */
function partsOf(message: JSONObject): readonly Part[] {
  const { content, parts } = message
  if (isArray(parts)) return (parts as readonly unknown[]).filter(isPart)
  return typeof content === 'string' ? [{ type: 'text', text: content }] : []
}
