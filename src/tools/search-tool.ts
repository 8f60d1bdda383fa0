import type { Tool } from '../api/tool.ts'
import { ignoreCase } from '../domain/ignore-case.ts'
import type { Message } from '../domain/message.ts'
import type { MediaPart, Part } from '../domain/part.ts'
import { partText } from '../domain/part-text.ts'
import { visibleJSON } from '../domain/visible-json.ts'
import type { LongTermItem } from '../recall/block/long-term-item.ts'
import { renderLongTermMemory } from '../recall/block/render-long-term-memory.ts'
import { messageOperations } from '../surface/messages.ts'
import { inputFrom } from './input-from.ts'
import { fromMessage } from './items.ts'
import type { LongTermScope, LongTermSession } from './long-term-scope.ts'
import { NOTHING_SAID } from './nothing-said.ts'
import { countField, textField } from './tool-input.ts'

const NAME = 'search_history'
const FOUND_MAX = 20
/** Results of older searches are found like other messages. */
const OWN_CALLS_MAX = 1_000
/** A longer message is shown in part. */
const WHOLE_CHARACTERS_MAX = 2_000
const CHARACTERS_BEFORE = 300
const CHARACTERS_SHOWN = 1_000

type Hit = Pick<LongTermItem, 'text' | 'cut'>

/** Finds messages of the conversation by a text in them. */
export function searchTool({
  scope,
  session,
}: {
  readonly scope: Pick<LongTermScope, 'session'>
  readonly session: string
}): Tool {
  return {
    name: NAME,
    description: 'Find earlier messages of this conversation that contain a text, exactly as it is written.',
    inputSchema: inputFrom(messageOperations.search, ['text', 'limit'], { limit: { maximum: FOUND_MAX } }),
    async execute(input) {
      const wanted = textField(input, 'text')
      if (wanted === '') return 'Nothing was searched for: text is empty, expected some words.'
      const limit = Math.min(Math.max(countField(input, 'limit') ?? FOUND_MAX, 1), FOUND_MAX)
      const conversation = scope.session(session)
      const hits = await search(conversation, wanted, limit)
      const found = renderLongTermMemory(hits.map(([message, hit]) => ({ ...fromMessage(message, session), ...hit })))
      if (found !== '') return found
      const [any] = await conversation.history({ after: 0, limit: 1 })
      return any === undefined ? NOTHING_SAID : `No message contains ${visibleJSON(wanted)}.`
    },
  }
}

/** The newest messages that have the text. Searches that were made before repeat it, so they do not count. */
async function search(
  session: LongTermSession,
  wanted: string,
  limit: number,
): Promise<readonly (readonly [Message, Hit])[]> {
  // The name of a tool is part of what is searched in a call. A result need not have it.
  const named = await session.search(NAME, { limit: OWN_CALLS_MAX })
  const calls = new Set(named.flatMap(({ parts }) => parts.flatMap(searchCall)))
  for (let asked = limit; ; asked *= 2) {
    const messages = await session.search(wanted, { limit: asked })
    const hits = messages.flatMap((message) => {
      const hit = excerpt(textWithout(message, calls), wanted)
      return hit === undefined ? [] : [[message, hit] as const]
    })
    if (hits.length >= limit || messages.length < asked) return hits.slice(-limit)
  }
}

function searchCall(part: Part): readonly string[] {
  return part.type === 'tool-call' && part.name === NAME ? [part.id] : []
}

/** What a message says, without calls of this tool and their results. */
function textWithout({ parts }: Message, calls: ReadonlySet<string>): string {
  const others = parts.filter((part) => {
    if (part.type === 'tool-call') return part.name !== NAME
    return part.type !== 'tool-result' || (part.name !== NAME && (part.callId === undefined || !calls.has(part.callId)))
  })
  const texts = others.map((part) => partText(part, mediaText))
  return texts.filter((text) => text !== '').join('\n')
}

function mediaText(part: MediaPart): string {
  if (part.type === 'audio') return ''
  return [part.name ?? '', part.source.type === 'url' ? part.source.url : ''].join(' ').trim()
}

/** The text around the first place that has what is wanted, or all of it if it is short. */
function excerpt(text: string, wanted: string): Hit | undefined {
  const at = placeOf(text, wanted)
  if (at === undefined) return undefined
  if (text.length <= WHOLE_CHARACTERS_MAX) return { text }
  const from = characterStart(text, Math.max(0, at - CHARACTERS_BEFORE))
  const shown = text.slice(from, characterStart(text, from + CHARACTERS_SHOWN))
  return { text: from === 0 ? shown : `…${shown}`, cut: text.length - shown.length }
}

/** Where a text is, in any case. Some letters are longer in upper case, so places in it are counted letter by letter. */
function placeOf(text: string, wanted: string): number | undefined {
  const upper = ignoreCase(text)
  const found = upper.indexOf(ignoreCase(wanted))
  if (found < 0) return undefined
  if (upper.length === text.length) return found
  let [at, passed] = [0, 0]
  for (const letter of text) {
    if (passed >= found) break
    at += letter.length
    passed += ignoreCase(letter).length
  }
  return at
}

/** The place, or the one before it where it would cut a surrogate pair in two. */
function characterStart(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}
