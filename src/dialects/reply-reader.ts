export interface ReplyReader {
  /** Whose reply it is. */
  readonly of: string
  /** The function that makes messages of it. */
  readonly name: string
  /** Fields that the reply has and no message. */
  readonly has: readonly string[]
}

const readers: readonly ReplyReader[] = [
  { of: 'OpenAI', name: 'fromOpenAI', has: ['choices'] },
  { of: "OpenAI's Responses API", name: 'fromOpenAIResponses', has: ['object', 'output'] },
  { of: 'Anthropic', name: 'fromAnthropic', has: ['content', 'stop_reason'] },
  { of: 'Gemini', name: 'fromGemini', has: ['candidates'] },
  { of: 'the AI SDK', name: 'fromAISDK', has: ['steps', 'finishReason'] },
]

/** What reads this reply of a provider's SDK; nothing if it is none. Results of an SDK may be instances with getters, so names are looked up. */
export function replyReader([reply, ...others]: readonly unknown[]): ReplyReader | undefined {
  if (others.length > 0 || typeof reply !== 'object' || reply === null) return undefined
  return readers.find(({ has }) => has.every((name) => name in reply))
}
