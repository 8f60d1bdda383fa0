import { expect, it } from 'vitest'
import { checkAdkMemory } from '../../src/adapters/adk/user-scope.ts'
import { middleware } from '../../src/adapters/ai-sdk/middleware.ts'
import { tools } from '../../src/adapters/ai-sdk/tools.ts'
import { memoryFiles } from '../../src/adapters/anthropic/memory-files.ts'
import { AgentSession } from '../../src/adapters/openai-agents/agent-session.ts'
import { DaybookMemoryStore } from '../../src/adapters/strands/daybook-memory-store.ts'
import { DaybookSnapshotStorage } from '../../src/adapters/strands/daybook-snapshot-storage.ts'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { openMemory } from '../../src/index.ts'
import { proxy } from '../../src/server/proxy/proxy.ts'
import { longTermMemory } from '../../src/tools/long-term-memory.ts'

await using memory = await openMemory(':memory:')
const scope = memory.scope('acme/ada')
const given = { scope, session: 's' }
const wrong = (value: unknown): never => value as never

it.each<readonly [name: string, option: string, expected: string, call: () => unknown]>([
  ['middleware', 'recallBudget', 'a positive whole number', () => middleware({ ...given, recallBudget: wrong('1k') })],
  ['middleware', 'allowDestroy', 'true or false', () => middleware({ ...given, allowDestroy: wrong('no') })],
  ['middleware', 'onError', 'a function', () => middleware({ ...given, onError: wrong('console') })],
  [
    'middleware',
    'mode',
    'static, agent, both, did you mean "agent"?',
    () => middleware({ ...given, mode: wrong('agents') }),
  ],
  ['tools', 'notes', 'true or false', () => tools(scope, { notes: wrong('yes') })],
  ['tools', 'allowDestroy', 'true or false', () => tools(scope, { allowDestroy: wrong(1) })],
  ['memoryFiles', 'collection', 'a non-empty string', () => memoryFiles(scope, { collection: wrong(7) })],
  ['AgentSession', 'session', 'a string', () => new AgentSession({ scope, session: wrong(42) })],
  ['DaybookMemoryStore', 'writable', 'true or false', () => new DaybookMemoryStore(scope, { writable: wrong('no') })],
  ['DaybookMemoryStore', 'description', 'a string', () => new DaybookMemoryStore(scope, { description: wrong(1) })],
  ['DaybookMemoryStore', 'name', 'a string', () => new DaybookMemoryStore(scope, { name: wrong(1) })],
  [
    'DaybookMemoryStore',
    'maxSearchResults',
    'a positive whole number',
    () => new DaybookMemoryStore(scope, { maxSearchResults: 0 }),
  ],
  [
    'DaybookSnapshotStorage',
    'collection',
    'a non-empty string',
    () => new DaybookSnapshotStorage(scope, { collection: '' }),
  ],
  ['checkAdkMemory', 'scope', 'a string', () => checkAdkMemory('use a memory', memory, { below: wrong(1) })],
  [
    'longTermMemory',
    'deadlineMs',
    'a positive whole number',
    () => longTermMemory(scope, { session: 's', deadlineMs: 0 }),
  ],
  [
    'connectMemory',
    'fetch',
    'a function',
    () => connectMemory('http://127.0.0.1:1', { key: 'k', fetch: wrong('node-fetch') }),
  ],
  [
    'connectMemory',
    'retryPausesMs',
    'an array',
    () => connectMemory('http://127.0.0.1:1', { key: 'k', retryPausesMs: wrong(100) }),
  ],
  ['proxy', 'port', 'a number from 0 to 65535', () => proxy(scope, { port: 70_000 })],
  ['proxy', 'budget', 'a positive whole number', () => proxy(scope, { budget: 0 })],
])('[surface-22] %s refuses a wrong %s before anything is done', async (_, option, expected, call) => {
  await expect((async () => call())()).rejects.toMatchObject({ code: 'input/invalid', details: { option, expected } })
})
