import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-read-only-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'agent.db')

async function filled(): Promise<void> {
  await using memory = await openMemory(file)
  const ada = memory.scope('acme/ada')
  await ada.session('support').append({ role: 'user', content: 'Order 7731 is late.' })
  await ada.remember({ subject: 'Ada', predicate: 'prefers', object: 'email' })
  await memory.settled()
  await ada.session('support').append({ role: 'user', content: 'The parcel is blue.' })
}

const changes: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
  append: (memory) => memory.scope('acme/ada').session('support').append({ role: 'user', content: 'new' }),
  remember: (memory) => memory.scope('acme/ada').remember({ subject: 'Ada', predicate: 'likes', object: 'tea' }),
  forget: (memory) => memory.scope('acme/ada').forget({ session: 'support' }),
  'state.set': (memory) => memory.scope('acme/ada').session('support').state.set('key', 1),
  clear: (memory) => memory.scope('acme/ada').session('support').clear(),
  'keys.create': (memory) => memory.keys.create({ scope: 'acme', can: ['read'] }),
  rebuild: (memory) => memory.rebuild(),
  retention: (memory) => memory.scope('acme/ada').retention.set({ days: 30 }),
}

describe('[walls-208] a memory that is opened with readOnly', async () => {
  await filled()
  const before = readFileSync(file)

  it('can be read, and its file stays as it was', async () => {
    await using memory = await openMemory(file, { readOnly: true })
    const ada = memory.scope('acme/ada')
    const chat = ada.session('support')
    expect(await chat.history()).toHaveLength(2)
    expect((await chat.context({ budget: 1_000 })).messages).toHaveLength(2)
    expect(await chat.document()).toHaveProperty('tool_stats')
    expect(await ada.facts({ subject: 'Ada' })).toHaveLength(1)
    let archive = ''
    for await (const line of memory.export()) archive += line
    expect(archive).toContain('The parcel is blue.')
    expect(await memory.verify()).toMatchObject({ ok: true, messages: 2 })
    expect(await memory.settled()).toEqual({ waiting: 0, failed: 0 })
    await memory.backup(join(folder, 'backup.db'))
    await memory.close()
    expect(readFileSync(file)).toEqual(before)
  })

  it('finds what is indexed, and reports why the rest is not', async () => {
    await using memory = await openMemory(file, { readOnly: true })
    const ada = memory.scope('acme/ada')
    const found = await ada.recall('which order is late?')
    expect(found.items.map(({ text }) => text).join(' ')).toContain('7731')
    expect(found.behind).toMatchObject({ messages: 1, failure: expect.stringContaining('readOnly') as string })
    await expect(ada.recall('parcel', { fresh: true })).rejects.toMatchObject({ code: 'store/read-only' })
  })

  for (const [name, change] of Object.entries(changes))
    it(`refuses ${name} with store/read-only`, async () => {
      await using memory = await openMemory(file, { readOnly: true })
      await expect(change(memory)).rejects.toMatchObject({ code: 'store/read-only' })
    })

  it('shows what another handle writes', async () => {
    const other = join(folder, 'other.db')
    await using writer = await openMemory(other)
    await writer.scope('a').session('s').append({ role: 'user', content: 'one' })
    await using reader = await openMemory(other, { readOnly: true })
    await writer.scope('a').session('s').append({ role: 'user', content: 'two' })
    expect(await reader.scope('a').session('s').history()).toHaveLength(2)
  })

  it('is a file that exists', async () => {
    const missing = join(folder, 'missing.db')
    await expect(openMemory(missing, { readOnly: true })).rejects.toMatchObject({ code: 'store/cannot-open' })
    await expect(openMemory(':memory:', { readOnly: true })).rejects.toMatchObject({ code: 'input/invalid' })
    const both = openMemory(file, { readOnly: true, tightenMode: true })
    await expect(both).rejects.toMatchObject({ code: 'input/invalid' })
  })
})
