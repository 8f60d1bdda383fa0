import { deepStrictEqual } from 'node:assert/strict'
import { DaybookSessionStore } from 'daybook/claude-agent'

const key = { projectKey: 'shop', sessionId: 's' }
const entry = (uuid, content) => ({ type: 'user', uuid, message: { role: 'user', content } })

export function open(memory, path) {
  const scope = memory.scope(path)
  const store = new DaybookSessionStore(scope)
  const read = async () => (await store.load(key)) ?? []
  const stored = async (...entries) => {
    await store.append(key, entries)
    deepStrictEqual(await read(), entries)
    return 'stored'
  }
  return {
    unpaired: () => stored(entry('u', [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }])),
    unknown: () => stored({ type: 'never-seen', uuid: 'u', payload: [1, null] }, entry('v', [{ type: 'odd', x: 1 }])),
    large: () => stored(entry('u', 'x'.repeat(20_000_000))).finally(async () => deepStrictEqual(await read(), [])),
    scope: async () => new DaybookSessionStore(path),
    async runs() {
      const both = [store, new DaybookSessionStore(scope)]
      await Promise.all(
        both.flatMap((one, run) => [1, 2, 3].map((turn) => one.append(key, [entry(`${run}-${turn}`, 'Hi')]))),
      )
      deepStrictEqual((await read()).length, 6)
      return 'both stored'
    },
    async again() {
      for (let times = 0; times < 2; times++) await store.append(key, [entry('u', 'Hi')])
      deepStrictEqual((await read()).length, 1)
      return 'stored once'
    },
    read,
  }
}
