import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Draft } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'
import type { LintOptions } from '../dialects/options.ts'
import type { TranscriptPath } from '../dialects/violation.ts'
import { codecs } from '../dialects/codecs.ts'
import type { Kind } from './finding.ts'

/** One conversation in a file. */
export interface ExaminedConversation {
  readonly dialect: Dialect
  /** Where it stands in the file. */
  readonly path: TranscriptPath
  readonly wire: JSONValue
  /** Where its messages stand in it: nowhere below for a bare list. */
  readonly key: TranscriptPath
  readonly messages: readonly JSONValue[]
  readonly options: LintOptions
  /** Its messages in our own words, so that one rule serves all dialects. Read once. */
  readonly spoken: () => readonly Spoken[]
}

/** A file as the rules see it. */
export interface Specimen {
  readonly kind: Kind
  /** The document, or the list of all records of JSON lines. */
  readonly value: JSONValue
  readonly conversations: readonly ExaminedConversation[]
}

/** A message in our own words, with the places that its words came from. */
export interface Spoken {
  readonly draft: Draft
  /** Of the wire message; of the first, where several are one. Within the conversation. */
  readonly path: TranscriptPath
  readonly parts: readonly { readonly part: Part; readonly path: TranscriptPath }[]
}

export function conversationOf(fields: Omit<ExaminedConversation, 'spoken'>): ExaminedConversation {
  let said: readonly Spoken[] | undefined
  return { ...fields, spoken: () => (said ??= readSpoken(fields)) }
}

function readSpoken({ wire, dialect }: Omit<ExaminedConversation, 'spoken'>): readonly Spoken[] {
  const places = new Map<object, TranscriptPath>()
  const messages = new Map<Draft, TranscriptPath>()
  const drafts = codecs[dialect].read(wire, {
    keepMalformed: true,
    at: (value, path) => {
      places.set(value, path)
      return value
    },
    unit: (read, _, ...paths) => {
      for (const draft of read) messages.set(draft, paths[0] ?? [])
    },
  })
  return (drafts ?? []).map((draft) => ({
    draft,
    path: messages.get(draft) ?? places.get(draft) ?? [],
    parts: draft.parts.map((part) => ({ part, path: places.get(part) ?? messages.get(draft) ?? [] })),
  }))
}
