import { setTimeout } from 'node:timers/promises'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { Folder } from './harness/folder.ts'

/** What somebody may do to a file that a process has open. */
const deeds: Readonly<Record<string, (file: string) => void>> = {
  'is removed': (file) => rmSync(file),
  'is moved': (file) => renameSync(file, `${file}.moved`),
  'is replaced by a copy of itself': (file) => {
    copyFileSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
  },
  'is removed with its write-ahead log': (file) => {
    rmSync(file)
    rmSync(`${file}-wal`)
  },
}

/** So many that storing them is a long write, which has a connection of its own. */
const facts = Array.from({ length: 1_000 }, (_, index) => ({
  subject: `subject ${index}`,
  predicate: 'has number',
  object: String(index),
}))

describe('[walls-200] a file that, while it is open,', () => {
  for (const [what, deed] of Object.entries(deeds)) {
    it(`${what} takes no more messages, and says so`, async () => {
      using folder = new Folder()
      const file = folder.file('log.db')
      const memory = await openMemory(file, { learn: false })
      const chat = memory.scope('acme').session('s')
      await chat.append({ role: 'user', content: 'before' })
      // Long enough that its directory counts as unchanged: then one look at the directory is enough.
      await setTimeout(250)
      for (const content of ['later', 'and later']) await chat.append({ role: 'user', content })
      deed(file)
      for (const content of ['after', 'and again'])
        await expect(chat.append({ role: 'user', content })).rejects.toMatchObject({ code: 'store/replaced' })
      await expect(chat.state.set('key', 1)).rejects.toMatchObject({ code: 'store/replaced' })
      await memory.close()
    })
  }

  for (const [what, deed] of Object.entries(deeds)) {
    it(`${what} takes no long write, and says so`, async () => {
      using folder = new Folder()
      const file = folder.file('log.db')
      await using memory = await openMemory(file, { learn: false })
      await memory.scope('acme').session('s').append({ role: 'user', content: 'before' })
      deed(file)
      const isThere = existsSync(file)
      await expect(memory.scope('acme').remember(facts)).rejects.toMatchObject({ code: 'store/replaced' })
      expect(existsSync(file)).toBe(isThere)
    })
  }

  it('is replaced by another memory changes nothing in that one', async () => {
    using folder = new Folder()
    const [file, another] = [folder.file('log.db'), folder.file('other.db')]
    const other = await openMemory(another, { learn: false })
    await other.scope('acme').session('t').append({ role: 'user', content: 'other' })
    await other.close()
    const memory = await openMemory(file, { learn: false })
    await memory.scope('acme').session('s').append({ role: 'user', content: 'before' })
    for (const part of ['', '-wal', '-shm']) renameSync(`${file}${part}`, `${file}.moved${part}`)
    renameSync(another, file)
    await expect(memory.scope('acme').remember(facts)).rejects.toMatchObject({ code: 'store/replaced' })
    await memory.close()
    await using found = await openMemory(file, { learn: false })
    expect(await found.stats()).toMatchObject({ facts: 0 })
  })

  it('loses its write-ahead log says so, is opened again, and has every message that was acknowledged', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    await using memory = await openMemory(file, { learn: false })
    const chat = memory.scope('acme').session('s')
    await chat.append({ role: 'user', content: 'before' })
    await setTimeout(250)
    for (const content of ['later', 'and later']) await chat.append({ role: 'user', content })
    rmSync(`${file}-wal`)
    await expect(chat.append({ role: 'user', content: 'lost?' })).rejects.toMatchObject({ code: 'store/replaced' })
    await chat.append({ role: 'user', content: 'after' })
    await using other = await openMemory(file, { learn: false })
    const found = await other.scope('acme').session('s').history()
    expect(found.map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))).toEqual(
      expect.arrayContaining(['before', 'later', 'and later', 'after']),
    )
    expect(await other.verify()).toMatchObject({ ok: true })
  })

  it('is put back takes messages again, and has every one that was acknowledged', async () => {
    using folder = new Folder()
    const file = folder.file('log.db')
    await using memory = await openMemory(file, { learn: false })
    const chat = memory.scope('acme').session('s')
    await chat.append({ role: 'user', content: 'before' })
    renameSync(file, `${file}.moved`)
    await expect(chat.append({ role: 'user', content: 'lost' })).rejects.toMatchObject({ code: 'store/replaced' })
    renameSync(`${file}.moved`, file)
    await chat.append({ role: 'user', content: 'after' })
    const texts = (await chat.history()).map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))
    expect(texts[0]).toBe('before')
    expect(texts.at(-1)).toBe('after')
    expect(await memory.verify()).toMatchObject({ ok: true })
  })
})
