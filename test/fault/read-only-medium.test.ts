import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import DatabaseDriver from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybook } from '../cli/harness.ts'
import { Folder } from './harness/folder.ts'
import { TinyDisk } from './harness/tiny-disk.ts'

const possible = ((): string | undefined => {
  using folder = new Folder()
  const disk = TinyDisk.mount(folder, 4)
  if (typeof disk === 'string') return disk
  disk[Symbol.dispose]()
  return undefined
})()

function smallDisk(): TinyDisk {
  const folder = new Folder()
  const disk = TinyDisk.mount(folder, 4)
  if (typeof disk === 'string') throw new Error(disk)
  onTestFinished(() => {
    disk[Symbol.dispose]()
    folder[Symbol.dispose]()
  })
  return disk
}

const copies = (): readonly string[] => readdirSync(tmpdir()).filter((name) => /^daybook-\w{6}$/.test(name))

describe.skipIf(possible !== undefined)('[walls-209] a memory on a read-only medium', () => {
  for (const state of ['was closed', 'was left by a process that was killed'] as const)
    it(`that ${state} is read, whole, and leaves no copy behind`, async () => {
      const disk = smallDisk()
      const file = `${disk.path}/agent.db`
      const memory = await openMemory(`${disk.path}/live.db`)
      const chat = memory.scope('acme/ada').session('s')
      await chat.append({ role: 'user', content: 'Order 7731 is late.' })
      await memory.settled()
      if (state === 'was closed') await memory.close()
      // What a killed process leaves: the file and its log as they are at this moment.
      for (const part of ['', '-wal']) {
        if (part === '-wal' && state === 'was closed') continue
        writeFileSync(`${file}${part}`, readFileSync(`${disk.path}/live.db${part}`))
      }
      await memory.close()
      disk.remount('ro')
      const before = copies()
      await expect(openMemory(file)).rejects.toMatchObject({ code: 'store/read-only' })
      await using reader = await openMemory(file, { readOnly: true })
      expect(await reader.scope('acme/ada').session('s').history()).toHaveLength(1)
      expect((await reader.scope('acme/ada').recall('order')).items).not.toHaveLength(0)
      expect(await reader.verify()).toMatchObject({ ok: true, messages: 1 })
      const append = reader.scope('acme/ada').session('s').append({ role: 'user', content: 'no' })
      await expect(append).rejects.toMatchObject({ code: 'store/read-only' })
      await reader.close()
      expect(copies()).toEqual(before)
      const shown = await daybook(['show', '--memory', file, '--scope', 'acme/ada', 's', '--read-only'])
      expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('7731') as string })
      const refused = await daybook(['show', '--memory', file, '--scope', 'acme/ada', 's'])
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('--read-only') as string })
      disk.remount('rw')
    })
})

it('[walls-209] a file of an older version is read, and stays as it is', async () => {
  using folder = new Folder()
  const file = folder.file('old.db')
  const old = new DatabaseDriver(file)
  old.exec(readFileSync(new URL('golden/schema-9.sql', import.meta.url), 'utf8'))
  old.close()
  const before = readFileSync(file)
  await using memory = await openMemory(file, { readOnly: true })
  expect(await memory.verify()).toMatchObject({ ok: true })
  expect((await memory.schema()).version).toBeGreaterThan(9)
  expect(readFileSync(file)).toEqual(before)
})
