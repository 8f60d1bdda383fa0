import type { JSONValue } from '../domain/json.ts'
import type { Draft } from '../domain/message.ts'
import type { Part, ProviderFields, ToolOutput } from '../domain/part.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { SLICE_CHARACTERS_MAX, countText, loopTurn } from './count-text.ts'
import type { MediaFormula } from './media-formula.ts'
import { mediaTokens } from './media-tokens.ts'

/**
 * OpenAI's published rule (cookbook, "How to count tokens with tiktoken"): 3 for each message, which frame it and name
 * its role, and 1 for a name besides the name itself. Anthropic and Gemini publish none and need about as many.
 */
const MESSAGE_TOKENS = 3
const NAME_TOKENS = 1

const TEXTS_PER_TURN = 256

/** The same rule: every reply is primed with 3. Once a request, so whoever assembles a context adds it, not a message. */
export const REPLY_PRIMING_TOKENS = 3

/** Unpublished: the frame of a call or a result, about `{"name":…,"arguments":…}` and `{"id":…,"content":…}`. */
const TOOL_CALL_TOKENS = 8
const TOOL_RESULT_TOKENS = 6

/**
 * Provider fields hold switches and ids, which no model reads, and payloads (encrypted reasoning, signatures, compaction
 * blocks), which are sent back and read as what they encrypt. A string longer than this is a payload.
 */
const PROVIDER_PAYLOAD_CHARACTERS_MIN = 64
/** Base64 turns 3 bytes into 4 characters, and text has about 4 bytes a token: 5.3 characters a token, rounded down. */
const PROVIDER_PAYLOAD_CHARACTERS_PER_TOKEN = 4

/**
 * Tokens of a message as it will be sent: every part, the name, call ids and the frame around them. Tags, metadata and
 * the message's own id are never sent and cost nothing. Each piece is rounded up, so a sum is never below its parts.
 * A long one is counted in slices, between which others get their turn; nearly all are short, and wait for nothing.
 */
export function countMessage(tokenizer: Tokenizer, draft: Draft, formula?: MediaFormula): number | Promise<number> {
  const cost = costOf(draft, formula)
  return cost.characters <= SLICE_CHARACTERS_MAX ? sum(tokenizer, cost) : sumInSlices(tokenizer, cost)
}

/** What a message costs: tokens known already, and texts that a tokenizer has to count. */
interface Cost {
  tokens: number
  characters: number
  readonly texts: string[]
  readonly formula: MediaFormula | undefined
}

function sum(tokenizer: Tokenizer, cost: Cost): number {
  let tokens = cost.tokens
  for (const text of cost.texts) tokens += tokenizer.count(text)
  return tokens
}

async function sumInSlices(tokenizer: Tokenizer, cost: Cost): Promise<number> {
  let tokens = cost.tokens
  let texts = 0
  for (const text of cost.texts) {
    tokens += text.length <= SLICE_CHARACTERS_MAX ? tokenizer.count(text) : await countText(tokenizer, text)
    // Tens of thousands of short texts take as long as a long one.
    if (++texts % TEXTS_PER_TURN === 0) await loopTurn()
  }
  return tokens
}

function costOf(draft: Draft, formula: MediaFormula | undefined): Cost {
  const cost: Cost = { tokens: MESSAGE_TOKENS, characters: 0, texts: [], formula }
  if (draft.name !== undefined) {
    cost.tokens += NAME_TOKENS
    addText(cost, draft.name)
  }
  addProvider(cost, draft.provider)
  for (const part of draft.parts) addPart(cost, part)
  return cost
}

function addText(cost: Cost, text: string | undefined): void {
  if (text === undefined || text.length === 0) return
  cost.texts.push(text)
  cost.characters += text.length
}

function addPart(cost: Cost, part: Part): void {
  addProvider(cost, part.provider)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return addText(cost, part.text)
    case 'image':
    case 'file':
      cost.tokens += mediaTokens(part, cost.formula)
      return addText(cost, part.name)
    case 'audio':
      cost.tokens += mediaTokens(part, cost.formula)
      return addText(cost, part.transcript)
    case 'tool-call':
      cost.tokens += TOOL_CALL_TOKENS
      addText(cost, part.name)
      addText(cost, part.id)
      return addText(cost, part.arguments)
    case 'tool-result':
      cost.tokens += TOOL_RESULT_TOKENS
      addText(cost, part.callId)
      addText(cost, part.name)
      return addOutput(cost, part.output)
    case 'agent-call':
      cost.tokens += TOOL_CALL_TOKENS
      addText(cost, part.agent)
      addText(cost, part.id)
      return addText(cost, JSON.stringify(part.request))
    case 'data':
      addText(cost, part.kind)
      return addText(cost, JSON.stringify(part.data))
  }
}

function addOutput(cost: Cost, output: ToolOutput): void {
  switch (output.type) {
    case 'text':
      return addText(cost, output.text)
    case 'json':
      return addText(cost, JSON.stringify(output.value))
    case 'parts':
      for (const part of output.parts) addPart(cost, part)
  }
}

function addProvider(cost: Cost, provider: ProviderFields | undefined): void {
  if (provider === undefined) return
  // A stack and not recursion: the fields are as deep as a stranger made them.
  const open: JSONValue[] = [provider]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (value.length > PROVIDER_PAYLOAD_CHARACTERS_MIN) {
        cost.tokens += Math.ceil(value.length / PROVIDER_PAYLOAD_CHARACTERS_PER_TOKEN)
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) open.push(child)
    }
  }
}
