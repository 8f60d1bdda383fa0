import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { MemoryError } from '../../src/domain/error.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { Ledger } from './harness/ledger.ts'
import { TinyDisk } from './harness/tiny-disk.ts'
import { sha, textOf } from './harness/text.ts'

const MEGABYTES = 2
const possible = ((): string | undefined => {
  using folder = new Folder()
  const disk = TinyDisk.mount(folder, MEGABYTES)
  if (typeof disk === 'string') return disk
  disk[Symbol.dispose]()
  return undefined
})()

/** A tiny disk that goes when the test ends. */
function tinyDisk(megabytes: number = MEGABYTES): TinyDisk {
  const folder = new Folder()
  const disk = TinyDisk.mount(folder, megabytes)
  if (typeof disk === 'string') throw new Error(disk)
  onTestFinished(() => {
    disk[Symbol.dispose]()
    folder[Symbol.dispose]()
  })
  return disk
}

/** Appends until something fails; answers with the code. */
async function fillUp(session: Session, ledger: Ledger, prefix: string): Promise<string> {
  for (let number = 0; number < 10_000; number++) {
    const id = `${prefix}-${number}`
    try {
      const [stored] = await session.append({ role: 'user', id, content: textOf(id, 20_000) })
      if (stored !== undefined)
        ledger.add({ kind: 'message', session: session.id, seq: stored.seq, id, sha: sha(textOf(id, 20_000)) })
    } catch (error) {
      return MemoryError.is(error) ? error.code : `raw ${String(error)}`
    }
  }
  return 'never full'
}

describe.skipIf(possible !== undefined)(`a full disk${possible === undefined ? '' : ` (skipped: ${possible})`}`, () => {
  it('[show-7] refuses appends, goes on reading, loses nothing, and recovers by itself when space returns', async () => {
    const disk = tinyDisk()
    const ballast = join(disk.path, 'ballast')
    writeFileSync(ballast, Buffer.alloc(700_000))
    await using memory = await openMemory(join(disk.path, 'log.db'))
    const session = memory.scope('acme/ada').session('one')
    const ledger = new Ledger()

    expect(await fillUp(session, ledger, 'first')).toBe('store/full')
    const stored = ledger.size
    expect(await session.history()).toHaveLength(stored)
    expect(await session.recent(5)).toHaveLength(5)
    // Again, and together: each caller gets the same answer, nothing is half-written.
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        session.append({ role: 'user', content: textOf(`many-${index}`).padEnd(30_000, 'x') }),
      ),
    )
    for (const outcome of many) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store/full' } })
    expect(await session.history()).toHaveLength(stored)
    expect(await ledger.check(memory, 'acme/ada')).toMatchObject({ lost: [], wrong: [] })

    await rm(ballast)
    const started = performance.now()
    expect(await fillUp(session, ledger, 'second')).toBe('store/full')
    expect(ledger.size).toBeGreaterThan(stored)
    figures('full disk', {
      stored,
      'stored after space returned': ledger.size - stored,
      'ms to fill again': performance.now() - started,
    })
    expect(await ledger.check(memory, 'acme/ada')).toMatchObject({ lost: [], wrong: [] })
  })

  it('[walls-216] forgets and recalls, with the room that was kept for it', async () => {
    const disk = tinyDisk(6)
    const [file, filler] = [join(disk.path, 'log.db'), join(disk.path, 'filler')]
    await using memory = await openMemory(file, { learn: false })
    const ada = memory.scope('acme/ada')
    await ada.session('secret').append({ role: 'user', content: 'The vault is under the Zanzibaroo.' })
    await ada.session('kept').append({ role: 'user', content: 'The walrus lives in Malmö.' })
    await memory.settled()
    await expect.poll(() => existsSync(`${file}-ballast`), { timeout: 30_000 }).toBe(true)
    writeFileSync(filler, Buffer.alloc(4_300_000))
    expect(await fillUp(ada.session('one'), new Ledger(), 'first')).toBe('store/full')
    const small = async (): Promise<string> => {
      for (;;) await ada.session('one').append({ role: 'user', content: 'x'.repeat(200) })
    }
    await expect(small()).rejects.toMatchObject({ code: 'store/full' })

    const { items, behind } = await ada.recall('where does the walrus live?')
    expect(items.map(({ text }) => text).join()).toContain('Malmö')
    expect(behind?.messages).toBeGreaterThan(0)
    const receipt = await ada.forget({ session: 'secret' })
    expect(receipt).toMatchObject({ messages: 1, sessions: ['secret'] })
    expect(existsSync(`${file}-ballast`)).toBe(false)
    expect(await ada.session('secret').history()).toEqual([])
    expect(await memory.verify({ index: false })).toMatchObject({ ok: true })
    // Overwriting the old pages takes a copy of the file: that is done when there is room.
    await rm(filler)
    expect(await ada.forget({ session: 'kept' })).toMatchObject({ pending: [] })
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ found: [] })
  })

  it('[show-7] keeps everything when it is closed and opened while full', async () => {
    const disk = tinyDisk()
    const file = join(disk.path, 'log.db')
    const ledger = new Ledger()
    const first = await openMemory(file)
    expect(await fillUp(first.scope('acme/ada').session('one'), ledger, 'first')).toBe('store/full')
    await first.close()
    const second = await openMemory(file)
    expect(await ledger.check(second, 'acme/ada')).toMatchObject({ lost: [], wrong: [] })
    await second.close()
  })

  it('[show-7] a disk with no space at all refuses a new file with a code', async () => {
    const disk = tinyDisk()
    writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(MEGABYTES * 2 ** 20 - 4_096))
    const opened = await openMemory(join(disk.path, 'log.db')).catch((error: unknown) => error)
    expect(opened).toMatchObject({ code: 'store/full' })
  })

  it('[show-7] a disk that becomes read-only refuses appends with a code and keeps what it has', async () => {
    const disk = tinyDisk()
    const file = join(disk.path, 'log.db')
    const memory = await openMemory(file)
    await memory.scope('acme/ada').session('one').append({ role: 'user', content: 'before' })
    await memory.close()
    disk.remount('ro')
    await expect(openMemory(file)).rejects.toMatchObject({ code: 'store/read-only' })
    disk.remount('rw')
    await using again = await openMemory(file)
    expect(await again.scope('acme/ada').session('one').count()).toBe(1)
  })
})
