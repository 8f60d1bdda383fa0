import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { longTermMemory } from '../../src/tools/long-term-memory.ts'
import { noteTools } from '../../src/tools/note-tools.ts'

it('[state-4] the agent keeps its scratchpad by tools', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  const tools = longTermMemory(scope, { session: 's', notes: true }).tools()
  const use = (name: string, input: unknown): Promise<string> =>
    tools.find((tool) => tool.name === name)?.execute(input) ?? Promise.reject(new Error(name))
  expect(await use('add_note', { text: 'Port is 8080', tags: 'net' })).toContain('Port is 8080')
  await use('add_note', { text: 'Ask Ada' })
  expect(await use('add_note', {})).toBe('Nothing was noted: text is empty, expected a note.')
  const [port, ada] = await scope.session('s').state.notes.list()
  expect(await use('list_notes', { tag: 'net' })).toBe(
    JSON.stringify({ id: port?.id, text: 'Port is 8080', tags: ['net'] }),
  )
  expect(await use('list_notes', { text: 'ADA' })).toContain('Ask Ada')
  expect(await use('update_note', { id: port?.id, text: 'Port is 9090' })).toContain('9090')
  expect(await use('update_note', { id: port?.id })).toMatch(/^Nothing was changed/)
  expect(await use('finish_note', { id: ada?.id })).toContain('"done":true')
  expect(await use('list_notes', {})).not.toContain('Ask Ada')
  expect(await use('list_notes', { done: 'true' })).toContain('Ask Ada')
  expect(await use('finish_note', { id: 'none' })).toMatch(/^finish_note did not work: Cannot find the note/)
  expect(await scope.session('s').state.notes.list()).toMatchObject([
    { text: 'Port is 9090', tags: ['net'], done: false },
    { text: 'Ask Ada', done: true },
  ])
})

it('[state-4] notes are offered only on request, and a host without them says so', async () => {
  await using memory = await openMemory(':memory:')
  const names = longTermMemory(memory.scope('a'), { session: 's' })
    .tools()
    .map(({ name }) => name)
  expect(names).not.toContain('add_note')
  expect(await noteTools(() => undefined)[0]?.execute({ text: 'x' })).toBe(
    'add_note did not work: this session has no scratchpad',
  )
})
