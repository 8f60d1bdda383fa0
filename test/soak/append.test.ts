import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const MINUTES = Number(process.env['DAYBOOK_SOAK_MINUTES'] ?? 60)
const MEGABYTE = 1024 * 1024

interface Sample {
  readonly hours: number
  readonly heapMb: number
  readonly handles: number
  readonly walMb: number
}

it(`a memory under load for ${MINUTES} minutes leaks no memory and no handle, and keeps its WAL bounded`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-soak-'))
  const file = join(directory, 'soak.db')
  const memory = await openMemory(file)
  const start = performance.now()
  const end = start + MINUTES * 60_000
  const samples: Sample[] = []
  const load = Array.from({ length: 8 }, (_, caller) => work(memory, caller, end))
  while (performance.now() < end) {
    await sleep(Math.min(10_000, MINUTES * 1_000))
    samples.push(sample(file, (performance.now() - start) / 3_600_000))
  }
  const appended = (await Promise.all(load)).reduce((sum, count) => sum + count, 0)
  const report = await memory.verify()
  await memory.close()
  rmSync(directory, { recursive: true })
  const settled = samples.slice(Math.floor(samples.length / 4))
  process.stdout.write(
    `soak: ${appended} messages, heap ${slope(settled).toFixed(1)} MB/h, WAL at most ${Math.max(...settled.map((one) => one.walMb)).toFixed(1)} MB\n`,
  )
  expect(report).toMatchObject({ ok: true, messages: appended })
  expect(Math.max(...settled.map((one) => one.walMb))).toBeLessThanOrEqual(64)
  expect(settled.at(-1)?.handles).toBeLessThanOrEqual((settled[0]?.handles ?? 0) + 4)
  // A short run is all warm-up: the slope of a few minutes is noise.
  if (MINUTES >= 30) expect(slope(settled)).toBeLessThan(5)
})

/** Appends, reads, revises, clears and watches, with short pauses, so that idle work runs too. */
async function work(memory: Memory, caller: number, end: number): Promise<number> {
  const chat = memory.scope(`soak/${caller}`).session('s')
  let appended = 0
  while (performance.now() < end) {
    const [stored] = await chat.append({
      role: 'user',
      content: `Message ${appended} of caller ${caller}`,
      metadata: { appended },
    })
    appended += 1
    if (appended % 50 === 0) await chat.revise(stored?.id ?? '', { content: 'revised' })
    if (appended % 500 === 0) await chat.clear()
    if (appended % 100 === 0) {
      await chat.recent(20)
      for await (const message of chat.watch({ after: appended - 1 })) if (message.seq === appended) break
      await sleep(20)
    }
  }
  return appended
}

function sample(file: string, hours: number): Sample {
  globalThis.gc?.()
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return {
    hours,
    heapMb: process.memoryUsage().heapUsed / MEGABYTE,
    handles: readdirSync('/proc/self/fd').length,
    walMb: wal / MEGABYTE,
  }
}

/** Megabytes an hour, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (pick: (one: Sample) => number): number =>
    samples.reduce((sum, one) => sum + pick(one), 0) / samples.length
  const [hours, heap] = [mean((one) => one.hours), mean((one) => one.heapMb)]
  const covariance = mean((one) => (one.hours - hours) * (one.heapMb - heap))
  return covariance / mean((one) => (one.hours - hours) ** 2)
}
