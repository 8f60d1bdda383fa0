import { cpSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { ForgetReceipt } from '../../src/types.ts'
import { times } from '../tier.ts'
import { Child } from './harness/child.ts'
import { describeWithShim } from './harness/describe-with-shim.ts'
import { Disk } from './harness/disk.ts'
import { figures } from './harness/figures.ts'
import { Folder, memoryFolder } from './harness/folder.ts'
import { writeImage } from './harness/image.ts'
import { type DiskCall, readJournal } from './harness/journal.ts'
import { seeded } from './harness/seeded.ts'
import { shimEnvironment } from './harness/shim.ts'

const WRITER = new URL('children/forgetting-writer.ts', import.meta.url)
const NAME = 'powercut'
const timeout = times({ daily: 3, nightly: 30 }) * 60_000
const receipt = { id: 'none' } as ForgetReceipt
const canary = (number: number): string => `${'abcdefghi'[number]}canary${'qrstuvwxy'[number]}ville`

describeWithShim('power cuts while something is forgotten', (library) => {
  it(
    '[forget-1] [forget-2] leave it undone or let it be finished: in no table and no byte, and the log verifies',
    { timeout },
    async () => {
      const random = seeded()
      using outside = new Folder()
      using folder = new Folder(outside.path, NAME)
      const file = folder.file(`${NAME}.db`)
      const env = shimEnvironment(library, { match: NAME, journal: outside.file('journal') })
      await new Child(WRITER, [file], { env }).run()
      const marks = readFileSync(`${file}.mark`, 'utf8').trim().split('\n')
      const calls = readJournal(outside.file('journal')).map((call) =>
        call.file === basename(folder.path) ? { ...call, file: NAME } : call,
      ) as readonly DiskCall[]
      const said = calls.findIndex(({ kind }) => kind === 'ack')
      const near = calls.flatMap((call, index) => (index > said && call.kind === 'sync' ? [index, index + 1] : []))
      const count = times({ daily: 20, nightly: 1_000 })
      const points = Array.from({ length: count }, () =>
        random.chance(0.5) ? random.pick(near) : said + 1 + random.below(calls.length - said),
      ).toSorted((a, b) => a - b)

      const disk = new Disk(NAME)
      let [at, acks, resumed] = [0, 0, 0]
      const promised = new Set<number>()
      for (const point of points) {
        for (; at < point; at++) {
          const call = calls[at]
          if (call === undefined) break
          disk.apply(call)
          if (call.kind !== 'ack') continue
          const mark = JSON.parse(marks[acks++] ?? '{}') as { kind: string; number: number }
          if (mark.kind === 'forgot') promised.add(mark.number)
        }
        using image = memoryFolder()
        writeImage(image.path, disk.afterCut(random))
        using copy = memoryFolder()
        cpSync(image.path, copy.path, { recursive: true })
        await using memory = await openMemory(copy.file(`${NAME}.db`), { learn: false })
        await memory.settled()
        resumed += (await memory.jobs.list({ kind: 'forget', state: 'done' })).length
        const report = await memory.verify()
        expect(report.damage).toEqual([])
        expect(report.ok).toBe(true)
        const texts = JSON.stringify(await memory.scope('acme/ada').session('chat').history())
        const others = JSON.stringify(await memory.scope('acme/ada').session('other').history())
        const numbers = [0, 1, 2, 3, 8]
        const everywhere = (await memory.verifyForgotten(receipt, numbers.map(canary))).found
        for (const [index, number] of numbers.entries()) {
          const there = (number === 8 ? others : texts).includes(canary(number))
          const found = everywhere.filter(({ sample }) => sample === index)
          if (promised.has(number)) expect({ number, there, found }).toEqual({ number, there: false, found: [] })
          // Undone: then it was never begun, or it was finished by the job that took it up.
          else if (!there) expect({ number, found }).toEqual({ number, found: [] })
        }
        for (const number of [4, 5, 6, 7]) expect(texts).toContain(canary(number))
      }
      figures('power cuts while forgetting', { cuts: points.length, resumed })
      expect(promised.size).toBeGreaterThan(0)
    },
  )
})
