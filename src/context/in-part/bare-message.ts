import { defined } from '../../domain/defined.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../domain/part.ts'
import { messageText } from '../../log/message-text.ts'
import { firstCharacters } from '../summary/excerpt.ts'
import { OFFLOADED_KEY } from '../summary/marker.ts'
import { LEAST, ShortenedMessage } from './shorten-message.ts'
import { messagePointer } from './message-pointer.ts'
import { TextInPart } from './text-in-part.ts'

type Count = (draft: Draft) => number | Promise<number>

/** Longer texts cost more than a pointer, whatever the script. */
const CHARACTERS_WHOLE = 80
const NAME_CHARACTERS_MAX = 64
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
  for (const [index, part] of calls.entries()) {
    const pointer = bareCall(part, `m${message.seq}-${index}`, ids, reference)
    tools.push(await cheaper({ ...pointer, arguments: part.arguments }, pointer, part.arguments.length, count))
  }
  for (const { output, ...part } of oneForEachCall(results, ids)) {
    const pointer = { ...part, output: { type: 'text', text: `[truncated, reopen ${reference}]` } } as const
    const length = output.type === 'text' ? output.text.length : Infinity
    tools.push(await cheaper({ ...part, output }, pointer, length, count))
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

function bareCall(part: ToolCallPart, newId: string, ids: CallIds, reference: string): ToolCallPart {
  const id = ids.get(part.id) ?? (part.id.length <= CALL_ID_CHARACTERS_MAX ? part.id : newId)
  ids.set(part.id, id)
  return {
    type: 'tool-call',
    id,
    name: firstCharacters(part.name, NAME_CHARACTERS_MAX),
    arguments: JSON.stringify({ [OFFLOADED_KEY]: `reopen ${reference}` }),
  }
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
