import { deepStrictEqual } from 'node:assert/strict'
import { generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { middleware, saveChat } from 'daybook/ai-sdk'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finishReason = { unified: 'stop', raw: undefined }
const doGenerate = { content: [{ type: 'text', text: 'Yes.' }], finishReason, usage, warnings: [] }

export function open(memory, path) {
  const scope = memory.scope(path)
  const remember = () => middleware({ scope, session: 's', mode: 'agent' })
  const say = (prompt) =>
    generateText({
      model: wrapLanguageModel({ model: new MockLanguageModelV4({ doGenerate }), middleware: remember() }),
      prompt,
    })
  const history = () => scope.session('s').history()
  const save = (parts) => saveChat(scope, { chatId: 's', messages: [{ id: 'm', role: 'user', parts }] })
  return {
    async unpaired() {
      const result = { type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'text', value: 'r' } }
      await remember().transformParams({
        params: { prompt: [{ role: 'tool', content: [result] }] },
        model: { modelId: 'none' },
      })
      const model = new MockLanguageModelV4({ doGenerate })
      await generateText({ model: wrapLanguageModel({ model, middleware: remember() }), prompt: 'And?' })
      deepStrictEqual(JSON.stringify(model.doGenerateCalls[0].prompt).includes('tool-result'), false)
      deepStrictEqual((await history())[0].role, 'tool')
      return 'stored'
    },
    async unknown() {
      await save([{ type: 'data-weather', id: 'w', data: { city: 'Lisbon' } }])
      deepStrictEqual(JSON.stringify(await history()).includes('Lisbon'), true)
      return 'stored'
    },
    large: () =>
      save([{ type: 'text', text: 'x'.repeat(20_000_000) }]).finally(async () => deepStrictEqual(await history(), [])),
    scope: async () => middleware({ scope: path, session: 's' }),
    async runs() {
      await Promise.all(['one', 'two', 'three'].map(say))
      deepStrictEqual((await history()).map(({ role }) => role).toSorted(), [
        'assistant',
        'assistant',
        'assistant',
        'user',
        'user',
        'user',
      ])
      return 'both stored'
    },
    async again() {
      for (let times = 0; times < 2; times++) await save([{ type: 'text', text: 'Hi' }])
      deepStrictEqual((await history()).length, 1)
      return 'stored once'
    },
    read: history,
  }
}
