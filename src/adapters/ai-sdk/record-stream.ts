import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { StreamedContent } from './answer-content.ts'
import type { Answer } from './record-answers.ts'

type StoreAnswer = (answer: Answer) => Promise<void>

/**
 * A stream that stores the reply before it is whole for its reader. Text passes as it arrives. From the first call of a tool on, the
 * rest is held back until the reply is stored, since the reader runs a tool as soon as it sees the call. A reader that goes away
 * does not end the stream of the model: it is read to its end and stored.
 */
export function recordStream(
  source: ReadableStream<LanguageModelV4StreamPart>,
  store: StoreAnswer,
): ReadableStream<LanguageModelV4StreamPart> {
  const content = new StreamedContent()
  let isRead = true
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      const give = (part: LanguageModelV4StreamPart): void => {
        if (isRead) controller.enqueue(part)
      }
      pump(source, content, { give, store })
        .then(() => (isRead ? controller.close() : undefined))
        .catch((error: unknown) => {
          if (isRead) controller.error(error)
        })
    },
    cancel() {
      isRead = false
    },
  })
}

interface Pumping {
  readonly give: (part: LanguageModelV4StreamPart) => void
  readonly store: StoreAnswer
}

async function pump(
  source: ReadableStream<LanguageModelV4StreamPart>,
  content: StreamedContent,
  { give, store }: Pumping,
): Promise<void> {
  const held: LanguageModelV4StreamPart[] = []
  let [isHeld, hasFailed] = [false, false]
  const reader = source.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      content.add(value)
      if (value.type === 'error') hasFailed = true
      isHeld ||= value.type === 'finish' || (value.type === 'tool-call' && value.providerExecuted !== true)
      if (isHeld) held.push(value)
      else give(value)
    }
  } catch (error) {
    // What was aborted or broke off is kept as far as it came. That it failed matters more than whether this could be stored.
    await store({ content: content.whole(), cut: true }).catch(() => undefined)
    throw error
  }
  await store({ content: content.whole(), cut: hasFailed })
  for (const part of held) give(part)
}
