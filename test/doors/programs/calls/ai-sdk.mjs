import { ToolLoopAgent } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { saveChat, withMemory } from 'daybook/ai-sdk'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const ui = (number) => ({ id: `m${number}`, role: 'user', parts: [{ type: 'text', text: `saved ${number}` }] })

/** Turns of an agent, and a chat that is saved again with each message. */
export function open(memory) {
  const scope = memory.scope('a')
  const doGenerate = ({ prompt }) => ({
    content: [{ type: 'text', text: `reply to ${prompt.at(-1).content[0].text}` }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  })
  const agent = new ToolLoopAgent({ model: new MockLanguageModelV4({ doGenerate }) })
  const texts = async (session) =>
    (await scope.session(session).recent(1_000)).map(({ parts }) => parts.map(({ text }) => text).join())
  return {
    async call(number) {
      await withMemory(agent, { scope, session: 'turns', mode: 'agent' }).generate({ prompt: `question ${number}` })
      const messages = Array.from({ length: number + 1 }, (_, index) => ui(index))
      await saveChat(scope, { chatId: 'chat', messages })
    },
    read: async () => ({ turns: await texts('turns'), chat: await texts('chat') }),
  }
}

export function expected(calls) {
  const numbers = Array.from({ length: calls }, (_, number) => number)
  return {
    turns: numbers.flatMap((number) => [`question ${number}`, `reply to question ${number}`]),
    chat: numbers.map((number) => `saved ${number}`),
  }
}
