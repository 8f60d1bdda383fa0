import type { Draft, Message } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import { clip } from '../summary/excerpt.ts'
import { dataLine } from '../summary/marker.ts'
import { type Payload, payloadsOf, replacePayloads, shortenArguments } from '../summary/payload.ts'
import { withoutPlace } from '../summary/stand-in.ts'
import { messagePointer } from './message-pointer.ts'
import { TextInPart } from './text-in-part.ts'

type Count = (draft: Draft) => number | Promise<number>

/** What a token of media weighs against characters of text: both are cut by the same limit. */
const CHARACTERS_PER_TOKEN = 4

/** How much of a message to show. */
export interface Limit {
  /** Of each text, argument and result; media that costs more than this much text is named only. */
  readonly characters: number
  /** Reasoning is signed by its provider: it is shown whole or not at all. */
  readonly reasoning: boolean
}

/** Below this, nothing useful can be seen of a text. */
export const LEAST: Limit = { characters: 200, reasoning: false }

/** One message that can be shown in part, to any limit. Everything that does not depend on the limit is worked out once. */
export class ShortenedMessage {
  readonly #message: Message
  readonly #payloads: readonly Payload[]
  readonly #texts: readonly TextInPart[]
  readonly #mediaCharacters: readonly number[]

  private constructor(message: Message, payloads: readonly Payload[], mediaCharacters: readonly number[]) {
    const id = messagePointer(message.seq)
    this.#message = message
    this.#payloads = payloads
    this.#mediaCharacters = mediaCharacters
    this.#texts = payloads.map(({ text, kind }) => new TextInPart(text, kind, id))
  }

  static async of(message: Message, count: Count): Promise<ShortenedMessage> {
    const payloads = payloadsOf(message)
    const media = message.parts.flatMap(mediaIn)
    const costs: number[] = []
    for (const part of media) costs.push((await count({ role: 'user', parts: [part] })) * CHARACTERS_PER_TOKEN)
    let next = 0
    return new ShortenedMessage(
      message,
      payloads,
      payloads.map(({ kind }) => (isMedia(kind) ? (costs[next++] ?? 0) : 0)),
    )
  }

  /** The longest of its payloads, in characters. */
  get longest(): number {
    return this.#payloads.reduce(
      (most, { text }, index) => Math.max(most, text.length, this.#mediaCharacters[index] ?? 0),
      0,
    )
  }

  /** The message within a limit; `undefined` if nothing in it has to be cut. */
  within({ characters, reasoning }: Limit): Draft | undefined {
    const message = this.#message
    let index = -1
    const draft = replacePayloads(message, (payload) => {
      index += 1
      return this.#inPart(payload, index, characters)
    })
    const parts = reasoning ? draft.parts : draft.parts.filter(({ type }) => type !== 'reasoning')
    if (draft === message && parts.length === message.parts.length) return undefined
    return { ...withoutPlace(message), parts }
  }

  #inPart(payload: Payload, index: number, characters: number): string | undefined {
    if (isMedia(payload.kind)) {
      if ((this.#mediaCharacters[index] ?? 0) <= characters) return undefined
      const notes = payload.notes.map((note) => clip(dataLine(note), 60).replaceAll(/[[\]]/g, ''))
      const size = payload.size === 0 ? [] : [`${payload.size} bytes`]
      return `[truncated ${[payload.kind, ...notes, ...size, `reopen ${messagePointer(this.#message.seq)}`].join(', ')}]`
    }
    if (payload.text.length <= characters) return undefined
    if (payload.kind === 'tool-call arguments') {
      const id = messagePointer(this.#message.seq)
      const share = Math.max(1, Math.floor(characters / 2))
      return shortenArguments(payload.text, share, (value) => new TextInPart(value, 'value', id).show(share))
    }
    const shown = this.#texts[index]?.show(characters) ?? ''
    return shown.length < payload.text.length ? shown : undefined
  }
}

function isMedia(kind: Payload['kind']): boolean {
  return kind === 'image' || kind === 'file' || kind === 'audio'
}

/** In the order in which `payloadsOf` names them. */
function mediaIn(part: Part): readonly Part[] {
  if (part.type === 'tool-result')
    return part.output.type === 'parts' ? part.output.parts.filter(({ type }) => type !== 'text') : []
  return part.type === 'image' || part.type === 'file' || part.type === 'audio' ? [part] : []
}
