import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { moveMemory } from '../../src/archive/move.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { fill, textOf } from '../archive/scene.ts'
import { Child } from '../fault/harness/child.ts'
import type { MoveTask } from './children/mover.ts'
import { freshDatabase } from './database.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-move-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string): string => join(folder, name)
const mover = new URL('children/mover.ts', import.meta.url)

/** A memory of every kind of record, and long enough to be cut in the middle. */
async function made(name: string): Promise<string> {
  await using memory = await openMemory(file(name), { learn: false })
  await fill(memory)
  for (const session of ['long', 'longer']) {
    const page = Array.from({ length: 900 }, (_, index) => ({ role: 'user' as const, content: `${session} ${index}` }))
    await memory.scope('acme/bob').session(session).append(page)
    await memory.scope('acme/bob').session(session).append(page)
  }
  return file(name)
}

async function archiveOf(location: string, options: Parameters<typeof openMemory>[1] = {}): Promise<string> {
  await using memory = await openMemory(location, { learn: false, ...options })
  return await textOf(memory.export())
}

it('[pg-14] moves a file to PostgreSQL and back, the same by hash, and leaves the source as it was', async () => {
  await using database = await freshDatabase()
  const { url, postgres } = database
  const from = await made('there-and-back.db')
  const before = await archiveOf(from)
  const heard: string[] = []
  const there = await moveMemory(from, url, {
    to: { postgres },
    onProgress: ({ stage, records }) => heard.push(`${stage} ${records}`),
  })
  expect(there.sha256).toBe(createHash('sha256').update(before).digest('hex'))
  expect(heard.some((line) => line.startsWith('copy 1000')) && heard.some((line) => line.startsWith('check'))).toBe(
    true,
  )
  expect(await archiveOf(from)).toBe(before)
  expect(await archiveOf(url, { postgres })).toBe(before)

  const back = await moveMemory(url, file('back.db'), { from: { postgres } })
  expect(back).toMatchObject({ sha256: there.sha256, messages: there.messages })
  expect(await archiveOf(file('back.db'))).toBe(before)
  await using memory = await openMemory(file('back.db'), { learn: false })
  expect(await memory.verify()).toMatchObject({ ok: true })
  expect(await said(memory)).toEqual(await saidIn(from))

  expect(await moveMemory(from, url, { to: { postgres } })).toMatchObject({ stored: 0, sha256: there.sha256 })
})

async function said(memory: Memory): Promise<readonly string[]> {
  const { items } = await memory.scope('acme/ada').recall('Is the order late?')
  return items.map(({ text }) => text)
}

async function saidIn(location: string): Promise<readonly string[]> {
  await using memory = await openMemory(location, { learn: false })
  return await said(memory)
}

it('[pg-14] killed in the middle of either way, the same call goes on and completes', async () => {
  await using database = await freshDatabase()
  const { url, postgres } = database
  const from = await made('killed.db')
  const before = await archiveOf(from)
  const ways: readonly Omit<MoveTask, 'killAt'>[] = [
    { from, to: url, sides: { to: { postgres } } },
    { from: url, to: file('killed-back.db'), sides: { from: { postgres } } },
  ]
  for (const way of ways) {
    for (const killAt of [
      { stage: 'copy', records: 1_000 },
      { stage: 'copy', records: 3_000 },
      { stage: 'check', records: 1 },
    ] as const) {
      const child = new Child(mover, [])
      await child.go({ ...way, killAt } satisfies MoveTask)
      await child.ended
      expect(child.lines, child.errors).toEqual([]) // it did not get to its end
    }
    const { stored } = await moveMemory(way.from, way.to, way.sides)
    expect(stored).toBe(0) // all was stored before the last kill: nothing is stored twice
  }
  expect(await archiveOf(file('killed-back.db'))).toBe(before)
  expect(await archiveOf(from)).toBe(before)
})

it('[pg-14] the source can be read and written meanwhile; what came since comes with the next call', async () => {
  await using database = await freshDatabase()
  const from = await made('busy.db')
  await using memory = await openMemory(from, { learn: false })
  let written: Promise<unknown> | undefined
  const move = (): ReturnType<typeof moveMemory> =>
    moveMemory(from, database.url, {
      to: { postgres: database.postgres },
      // In a session whose turn is over.
      onProgress: () =>
        (written ??= memory.scope('acme/ada').session('support').append({ role: 'user', content: 'new' })),
    })
  await expect(move()).rejects.toMatchObject({ code: 'archive/conflict', message: /written to meanwhile/ })
  await written
  expect(await memory.scope('acme/ada').session('support').recent(1)).toMatchObject([{ parts: [{ text: 'new' }] }])
  expect(await move()).toMatchObject({ stored: 1 })
})

it('[pg-14] refuses a target with something else before it stores anything, and a source that is not there', async () => {
  await using database = await freshDatabase()
  const { url, postgres } = database
  await using target = await openMemory(url, { learn: false, postgres })
  await target.scope('other').session('s').append({ role: 'user', content: 'Mine.' })
  const from = await made('refused.db')
  await expect(moveMemory(from, url, { to: { postgres } })).rejects.toMatchObject({
    code: 'archive/conflict',
    details: { scope: 'other', session: 's' },
  })
  expect(await target.scope('acme/ada').session('support').count()).toBe(0)
  for (const [source, goal] of [
    [file('missing.db'), url],
    [from, from],
    [':memory:', url],
    [from, 'https://memory.example'],
  ] as const)
    await expect(moveMemory(source, goal), `${source} to ${goal}`).rejects.toMatchObject({ code: 'input/invalid' })
  expect(existsSync(file('missing.db'))).toBe(false)
})
