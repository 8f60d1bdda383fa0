import type { JSONValue } from '../domain/json.ts'
import { MemoryError } from '../domain/error.ts'
import { recogniseForeign } from './recognise-dialect.ts'

/**
 * Adds to the refusal of messages what they look like and how to append them: a reply of a provider's SDK, or messages of
 * another dialect. Other errors stay as they are.
 */
export function withForeignShape(error: unknown, messages: readonly unknown[]): unknown {
  if (!MemoryError.is(error, 'input/invalid')) return error
  const reader = readerOf(messages)
  if (reader !== undefined)
    return new MemoryError(
      error.code,
      `Cannot append: this is a reply of ${reader.of}, expected messages: append(${reader.name}(reply))`,
      { ...error.details, looksLike: reader.name },
      error,
    )
  const dialect = recogniseForeign(messages as readonly JSONValue[])
  if (dialect === undefined || dialect === 'daybook') return error
  const how = `append(messages, { from: '${dialect}' })`
  const message = withHint(error, `This looks like the dialect "${dialect}": ${how}`)
  return new MemoryError(error.code, message, { ...error.details, looksLike: dialect }, error)
}

/** The hint replaces what was expected instead, unless that is about a single name. */
function withHint({ message, details }: MemoryError, hint: string): string {
  const isName = details['meant'] !== undefined || String(details['option']).endsWith('.role')
  const said = isName ? message : message.replace(/, (?:expected|did you mean) [\s\S]*$/, '')
  return `${said}${said.endsWith('?') ? '' : '.'} ${hint}`
}

interface ReplyReader {
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

/** What reads this reply; nothing if it is none. Results of an SDK may be instances with getters, so names are looked up. */
function readerOf([reply, ...others]: readonly unknown[]): ReplyReader | undefined {
  if (others.length > 0 || typeof reply !== 'object' || reply === null) return undefined
  return readers.find(({ has }) => has.every((name) => name in reply))
}
