import { defined } from '../../domain/defined.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import { quoteJSON } from '../../model/quote-json.ts'
import { messageText } from '../../log/message-text.ts'
import { type Entry, draftsOf, entrySources } from '../window/entry.ts'
import { headAndTail } from '../summary/excerpt.ts'
import { fairShare } from '../summary/fair-share.ts'

/** A line besides its text: braces, keys, role, numbers, names. */
const LINE_CHARACTERS = 80
/** Shorter than this a text says nothing: rather no model than one that was shown scraps. */
const TEXT_CHARACTERS_MIN = 40

/**
 * Entries as data: one JSON object a line, with which message it is, who spoke and what. Stored text is inside a JSON
 * string, so it can neither end its line nor begin another; nor does it hold a `<`, with which tags and the control tokens of
 * chat templates begin. Long texts lose their middle, the longest first, until the whole is about `charactersMax`.
 *
 * @returns `undefined` if there are too many messages for that.
 */
export function quoteEntries(entries: readonly Entry[], charactersMax: number): readonly string[] | undefined {
  const spoken = entries.flatMap((entry) =>
    draftsOf(entry).map((draft) => ({ entry, draft, text: messageText(draft) })),
  )
  const room = charactersMax - spoken.length * LINE_CHARACTERS
  const textMax = fairShare(
    spoken.map(({ text }) => text.length),
    room,
  )
  if (room < 0 || textMax < TEXT_CHARACTERS_MIN) return undefined
  return spoken.map(({ entry, draft, text }) =>
    quoteJSON({ ...placeOf(entry), ...speakerOf(draft), text: shorten(text, textMax) }),
  )
}

function placeOf(entry: Entry): JSONObject {
  if (entry.type === 'message') return { seq: entry.message.seq }
  const sources = entrySources(entry)
  return { seq: sources[0]?.from ?? 0, through: sources.at(-1)?.through ?? 0, summaryOf: entry.fold.messages }
}

function speakerOf({ role, name, parts }: Draft): JSONObject {
  const results = parts.filter((part) => part.type === 'tool-result')
  const outcome = results.find((result) => result.outcome !== undefined && result.outcome !== 'ok')?.outcome
  const tools = results.flatMap((result) => result.name ?? [])
  const media = parts.map((part) => part.type).filter((type) => type === 'image' || type === 'file' || type === 'audio')
  return {
    role,
    ...defined({ name }),
    ...(tools.length > 0 && { tools }),
    ...defined({ outcome }),
    ...(media.length > 0 && { media }),
  }
}

/** The beginning and the end, and how much is missing between. */
function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const { head, tail } = headAndTail(text, charactersMax)
  return `${head} [… ${text.length - head.length - tail.length} characters not shown …] ${tail}`
}
