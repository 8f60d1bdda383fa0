import { defined } from '../../domain/defined.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { messageText } from '../../log/message-text.ts'
import { Turns } from '../../log/turns.ts'
import { firstCharacters } from '../summary/excerpt.ts'
import { OFFLOADED_KEY } from '../summary/marker.ts'
import { LEAST, ShortenedMessage } from './shorten-message.ts'
import { messagePointer } from './message-pointer.ts'
import { TextInPart } from './text-in-part.ts'

type Count = (draft: Draft) => number | Promise<number>

/** Longer texts cost more than a pointer, whatever the script. */
const CHARACTERS_WHOLE = 80
const NAME_CHARACTERS_MAX = 64
/** Of the 60 tokens that a context has for each call, the rest is for frames, ids, the result and the margin of an estimate. */
const CALL_TOKENS_MAX = 20
const NAME_TOKENS_MAX = 16
const TRIED_NAME_CHARACTERS = [64, 32, 16, 8] as const
/** A call id that costs more than a new one. */
const CALL_ID_CHARACTERS_MAX = 10
/** For the text of one message. */
const TOKENS_MAX = 110
const TRIED_CHARACTERS = [160, 80, 40, 20, 8, 0] as const

/** New, short ids for calls: the same for a call and its results. */
export type CallIds = Map<string, string>

/**
 * The least that a message can be: its calls and results with nothing but pointers to what they said, and of its words the
 * beginning and the end. Depends on the message alone, so that the smallest budget that is enough can be stated.
 */
export async function bareMessage(message: Message, ids: CallIds, count: Count): Promise<Draft> {
  const { role, id, at, tags, name } = message
  const reference = messagePointer(message.seq)
  const base = {
    role,
    id,
    at,
    ...defined({ tags }),
    ...(name !== undefined && name.length <= NAME_CHARACTERS_MAX && { name }),
  }
  const calls = message.parts.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true ? [part] : [],
  )
  const results = message.parts.flatMap((part) =>
    part.type === 'tool-result' && part.providerExecuted !== true ? [part] : [],
  )
  const tools: Part[] = []
  const turns = new Turns()
  for (const [index, part] of calls.entries()) {
    tools.push(await bareCall(part, { newId: `m${message.seq}-${index}`, ids, reference, count }))
    if (turns.isOver) await turns.take()
  }
  for (const { output, ...part } of oneForEachCall(results, ids)) {
    const pointer = { ...part, output: { type: 'text', text: `[truncated, reopen ${reference}]` } } as const
    const length = output.type === 'text' ? output.text.length : Infinity
    tools.push(await cheaper({ ...part, output }, pointer, length, count))
    if (turns.isOver) await turns.take()
  }
  const words = message.parts.filter((part) => !isOmitted(part))
  // What an assistant said beside its calls is the least of what the model needs of them.
  if (tools.length > 0 && (role !== 'user' || words.length === 0)) return { ...base, parts: tools }
  const bare: Draft = { ...base, parts: [...tools, { type: 'text', text: await bareText(words, reference, count) }] }
  const shortened = tools.length > 0 ? undefined : (await ShortenedMessage.of(message, count)).within(LEAST)
  return shortened !== undefined && shortened.parts.length > 0 && (await count(shortened)) < (await count(bare))
    ? shortened
    : bare
}

/** Whole, if that costs no more than the pointer. */
async function cheaper<Kind extends Part>(whole: Kind, pointer: Kind, length: number, count: Count): Promise<Kind> {
  if (length > CHARACTERS_WHOLE) return pointer
  const [all, part] = [await count({ role: 'user', parts: [whole] }), await count({ role: 'user', parts: [pointer] })]
  return all <= part ? whole : pointer
}

/** Said by nobody, or shown as a call or a result. */
function isOmitted(part: Part): boolean {
  return part.type === 'reasoning' || part.type === 'tool-call' || part.type === 'tool-result'
}

async function bareText(words: readonly Part[], reference: string, count: Count): Promise<string> {
  const text = messageText({ role: 'user', parts: words })
  const pointer = `[truncated message, reopen ${reference}]`
  const fits = async (shown: string): Promise<boolean> =>
    (await count({ role: 'user', parts: [{ type: 'text', text: shown }] })) <= TOKENS_MAX
  if (text.trim() === '') return pointer
  const whole = words.length === 1 && words[0]?.type === 'text' ? text : `${text}\n${pointer}`
  if (text.length <= TOKENS_MAX * 6 && (await fits(whole))) return whole
  const shown = new TextInPart(text, 'message', reference)
  for (const characters of TRIED_CHARACTERS) {
    const part = shown.show(characters)
    if (await fits(part)) return part
  }
  return pointer
}

interface BareCall {
  /** The id of the call, if its own costs more. */
  readonly newId: string
  readonly ids: CallIds
  readonly reference: string
  readonly count: Count
}

/** A call with a name and arguments that share few tokens: whole, or a pointer, or nothing. */
async function bareCall(part: ToolCallPart, { newId, ids, reference, count }: BareCall): Promise<ToolCallPart> {
  const id = ids.get(part.id) ?? (part.id.length <= CALL_ID_CHARACTERS_MAX ? part.id : newId)
  ids.set(part.id, id)
  const tokensOf = async (text: string): Promise<number> =>
    (await count({ role: 'user', parts: [{ type: 'text', text }] })) - (await count({ role: 'user', parts: [] }))
  let name = ''
  for (const characters of TRIED_NAME_CHARACTERS) {
    name = firstCharacters(part.name, characters)
    if ((await tokensOf(name)) <= NAME_TOKENS_MAX) break
  }
  const left = CALL_TOKENS_MAX - (await tokensOf(name))
  const pointer = JSON.stringify({ [OFFLOADED_KEY]: `reopen ${reference}` })
  const isWhole =
    part.arguments.length <= CHARACTERS_WHOLE &&
    (await tokensOf(part.arguments)) <= Math.min(left, await tokensOf(pointer))
  const shown = isWhole ? part.arguments : (await tokensOf(pointer)) <= left ? pointer : '{}'
  return { type: 'tool-call', id, name, arguments: shown }
}

/** Of several results for a call the last. */
function oneForEachCall(results: readonly ToolResultPart[], ids: CallIds): readonly ToolResultPart[] {
  const byCall = new Map<string | undefined, ToolResultPart>()
  for (const { callId, output, outcome } of results) {
    const id = callId === undefined ? undefined : (ids.get(callId) ?? callId)
    byCall.set(id, {
      type: 'tool-result',
      ...defined({ callId: id }),
      output,
      ...defined({ outcome }),
    })
  }
  return [...byCall.values()]
}
