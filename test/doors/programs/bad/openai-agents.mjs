import { deepStrictEqual } from 'node:assert/strict'
import { AgentSession } from 'daybook/openai-agents'

const said = (content) => ({ type: 'message', role: 'user', content })

export function open(memory, path) {
  const scope = memory.scope(path)
  const session = new AgentSession({ scope, session: 's' })
  const stored = async (items) => {
    await session.addItems(items)
    deepStrictEqual(await session.getItems(), items)
    return 'stored'
  }
  return {
    unpaired: () =>
      stored([
        {
          type: 'function_call_result',
          callId: 'c',
          name: 'f',
          status: 'completed',
          output: { type: 'text', text: 'r' },
        },
      ]),
    unknown: () => stored([{ type: 'never_seen', payload: [1, null, { '': true }] }]),
    large: () =>
      stored([said('x'.repeat(20_000_000))]).finally(async () => deepStrictEqual(await session.getItems(), [])),
    scope: async () => new AgentSession({ scope: path, session: 's' }),
    async runs() {
      const both = [0, 1].map(() => new AgentSession({ scope, session: 's' }))
      await Promise.all(both.flatMap((one, run) => [1, 2, 3].map((turn) => one.addItems([said(`${run}-${turn}`)]))))
      deepStrictEqual((await session.getItems()).length, 6)
      return 'both stored'
    },
    async stale() {
      await session.addItems([said('one'), said('two')])
      const transaction = { type: 'replace_suffix', expectedSuffix: [said('one')], replacement: [said('three')] }
      return session
        .applyHistoryTransaction({ operationId: 'o', transaction })
        .finally(async () => deepStrictEqual(await session.getItems(), [said('one'), said('two')]))
    },
    async again() {
      const transaction = { type: 'append_items', items: [said('Hi')] }
      for (let times = 0; times < 2; times++) await session.applyHistoryTransaction({ operationId: 'o', transaction })
      deepStrictEqual(await session.getItems(), [said('Hi')])
      return 'stored once'
    },
    read: () => session.getItems(),
  }
}
