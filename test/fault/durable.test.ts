import { readFileSync, readdirSync, statSync } from 'node:fs'

import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { openMemory } from '../../src/memory/open-memory.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { Folder, memoryFolder } from './harness/folder.ts'
import type { DiskCall } from './harness/journal.ts'
import { cutPoints, cutPower, record } from './harness/power-cut.ts'
import { seeded } from './harness/seeded.ts'
import { OWN_SOURCE, buildShim } from './harness/shim.ts'

/** Acknowledgements that came while something written to the log had not been synced. */
function unsyncedAcks(calls: readonly DiskCall[]): { readonly acks: number; readonly unsynced: number } {
  let pending = false
  let acks = 0
  let unsynced = 0
  for (const call of calls) {
    if (call.kind === 'write' && call.file.endsWith('-wal')) pending = true
    if (call.kind === 'sync' && call.file.endsWith('-wal')) pending = false
    if (call.kind !== 'ack') continue
    acks += 1
    if (pending) unsynced += 1
  }
  return { acks, unsynced }
}

describe('the file as others see it', () => {
  it.each([0o000, 0o022, 0o077])('[log-4] is for its owner’s eyes only under umask %o', async (mask) => {
    using folder = new Folder()
    const before = process.umask(mask)
    try {
      await using memory = await openMemory(folder.file('log.db'))
      await memory.scope('acme/ada').session('one').append({ role: 'user', content: 'secret' })
      const modes = ['', '-wal', '-shm'].map((end) =>
        (statSync(`${folder.file('log.db')}${end}`).mode & 0o777).toString(8),
      )
      expect(modes).toEqual(['600', '600', '600'])
    } finally {
      process.umask(before)
    }
  })

  it('[log-4] is one file after close, also right after verify', async () => {
    using folder = memoryFolder()
    const left = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const memory = await openMemory(folder.file(`log-${round}.db`))
      await memory.scope('acme/ada').session('one').append({ role: 'user', content: 'hello' })
      await memory.verify()
      await memory.close()
      for (const name of readdirSync(folder.path)) if (!name.endsWith('.db')) left.add(name.replace(/^.*db/, ''))
    }
    expect([...left]).toEqual([])
  })

  it('[log-4] is in write-ahead mode and bears our mark', async () => {
    using folder = new Folder()
    const memory = await openMemory(folder.file('log.db'))
    await memory.scope('acme/ada').session('one').append({ role: 'user', content: 'hello' })
    const other = new Database(folder.file('log.db'), { readonly: true })
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal')
    other.close()
    await memory.close()
    const header = readFileSync(folder.file('log.db'))
    // Bytes 18 and 19 are the versions that writers and readers need: 2 is write-ahead.
    expect([header[18], header[19]]).toEqual([2, 2])
    expect(header.toString('latin1', 68, 72)).toBe('DBok')
  })
})

describeWithShim('durable before acknowledged', (library) => {
  it('[log-4] a sync of the write-ahead log precedes every acknowledgement', async () => {
    const { calls } = await record(library, { life: 'brief', weakSync: false })
    const { acks, unsynced } = unsyncedAcks(calls)
    expect(acks).toBeGreaterThan(100)
    expect(unsynced).toBe(0)
  })

  it('[log-4] is noticed by this test when the sync is left to the driver', async () => {
    const { calls } = await record(library, { life: 'brief', weakSync: true })
    expect(unsyncedAcks(calls).unsynced).toBeGreaterThan(50)
  })

  it('[log-3] group commit: callers who come together share a sync', async () => {
    const { calls } = await record(library, { life: 'brief', weakSync: false })
    const syncs = calls.filter((call) => call.kind === 'sync' && call.file.endsWith('-wal')).length
    expect(syncs).toBeLessThan(unsyncedAcks(calls).acks / 2)
  })

  it('[show-3] our own shim sees what the shared one sees', async () => {
    const own = buildShim(OWN_SOURCE)
    if (own.library === undefined) throw new Error(own.reason)
    const random = seeded()
    const recording = await record(own.library, { life: 'brief', weakSync: false })
    expect(unsyncedAcks(recording.calls)).toMatchObject({ unsynced: 0 })
    expect(await cutPower(recording, cutPoints(recording, 100, random), random)).toMatchObject({
      lost: [],
      unreadable: [],
      wrong: [],
    })
    const weak = await record(own.library, { life: 'brief', weakSync: true })
    expect((await cutPower(weak, cutPoints(weak, 100, random), random)).lost.length).toBeGreaterThan(0)
  })
})
