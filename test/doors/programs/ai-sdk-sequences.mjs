// Random conversations with the AI SDK: an agent that is given only what is new sees what it sees when the host keeps the whole
// conversation, and chats come back as they were saved. Run with the packed package (ai-sdk.mjs) and with the sources.
import { deepStrictEqual } from 'node:assert/strict'
import { generateText, isStepCount, jsonSchema, streamText, tool, validateUIMessages, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import fc from 'fast-check'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finish = (content) => ({ unified: content[0].type === 'tool-call' ? 'tool-calls' : 'stop', raw: undefined })
const tools = {
  look: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async ({ at }) => ({ found: at }) }),
}

/** A model that calls tools as often as it was told, then replies. It remembers the prompts that it was given. */
function scripted(prompts) {
  let left = []
  const next = ({ prompt }) => {
    prompts.push(prompt.map(({ role, content }) => ({ role, content })))
    return left.shift() ?? [{ type: 'text', text: `reply ${prompts.length}` }]
  }
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => {
      const content = next(options)
      return { content, finishReason: finish(content), usage, warnings: [] }
    },
    doStream: async (options) => {
      const content = next(options)
      const parts = content.flatMap((part) =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part],
      )
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', usage, finishReason: finish(content) },
      ]
      return { stream: simulateReadableStream({ chunks }) }
    },
  })
  const script = (steps) => {
    left = steps.map((calls, step) =>
      Array.from({ length: calls }, (_, at) => {
        const toolCallId = `c${prompts.length}-${step}-${at}`
        return { type: 'tool-call', toolCallId, toolName: 'look', input: JSON.stringify({ at }) }
      }),
    )
  }
  return { model, script }
}

async function run(given, streamed) {
  const options = { ...given, tools, stopWhen: isStepCount(10) }
  const result = streamed ? streamText(options) : await generateText(options)
  if (streamed) await result.consumeStream()
  return result.responseMessages
}

const turn = fc.record({
  asks: fc.string({ minLength: 1, maxLength: 10 }).filter((said) => said.trim() !== ''),
  steps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  streamed: fc.boolean(),
})
/** What a model is shown, in a form in which equal is equal. */
const shown = (prompts) => JSON.parse(JSON.stringify(prompts).replaceAll(/"providerOptions":\{\},?/g, ''))

const text = fc.string({ minLength: 1, maxLength: 8 })
const looked = fc.nat(9).map((at) => ({
  type: 'tool-look',
  toolCallId: `c${at}`,
  state: 'output-available',
  input: { at },
  output: { found: at },
}))
const reply = fc
  .tuple(fc.option(looked, { nil: undefined }), text)
  .map(([found, said]) => [
    ...(found === undefined ? [] : [{ type: 'step-start' }, found]),
    { type: 'step-start' },
    { type: 'text', text: said, state: 'done' },
  ])

/** Compares `runs` random sequences of turns and as many of chats. Returns how many were compared. */
export async function compareAiSdk({ loadChat, middleware, saveChat }, scope, runs) {
  const compared = { sequences: 0, calls: 0 }
  let serial = 0
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      const [theirs, ours] = [[], []]
      const [host, remembering] = [scripted(theirs), scripted(ours)]
      const session = `s${++serial}`
      const model = wrapLanguageModel({
        model: remembering.model,
        middleware: middleware({ scope, session, mode: 'agent', context: { budget: 100_000 } }),
      })
      const messages = []
      for (const { asks, steps, streamed } of turns) {
        host.script(steps)
        remembering.script(steps)
        messages.push({ role: 'user', content: asks })
        messages.push(...(await run({ model: host.model, messages: [...messages] }, streamed)))
        await run({ model, messages: [{ role: 'user', content: asks }] }, streamed)
        deepStrictEqual(shown(ours), shown(theirs))
        compared.calls += 1
      }
      compared.sequences += 1
    }),
    { numRuns: runs },
  )

  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, reply), { minLength: 1, maxLength: 4 }), async (pairs) => {
      const chatId = `chat${++serial}`
      const messages = pairs.flatMap(([asks, parts], index) => [
        { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: asks }] },
        { id: `a${index}`, role: 'assistant', parts },
      ])
      // In steps, as a host does, and once more.
      for (let upTo = 1; upTo <= messages.length; upTo++)
        await saveChat(scope, { chatId, messages: messages.slice(0, upTo) })
      await saveChat(scope, { chatId, messages })
      const loaded = await loadChat(scope, chatId)
      deepStrictEqual(loaded, messages)
      await validateUIMessages({ messages: loaded, tools })
      compared.calls += messages.length
      compared.sequences += 1
    }),
    { numRuns: runs },
  )
  return compared
}
