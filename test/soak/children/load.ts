// Works on one memory for a long time, and tells every few seconds what it takes. In a process of its own: the heap of a test
// runner grows by itself, and it does not let one collect what is garbage.
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../../fault/harness/parent.ts'

export interface Sample {
  readonly hours: number
  readonly heapMb: number
  readonly handles: number
  readonly walMb: number
}

export interface SoakEnd {
  readonly appended: number
  readonly ok: boolean
  readonly messages: number
}

const MEGABYTE = 1024 * 1024
const CALLERS = 8
const SAMPLE_MS_MAX = 10_000
const [file = ''] = process.argv.slice(2)
const { minutes } = waitForGo() as { readonly minutes: number }
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const memory = await openMemory(file)
const start = performance.now()
const end = start + minutes * 60_000
const load = Array.from({ length: CALLERS }, (_, caller) => work(caller))
while (performance.now() < end) {
  await sleep(Math.min(SAMPLE_MS_MAX, minutes * 1_000))
  tell(sample())
}
const appended = (await Promise.all(load)).reduce((sum, count) => sum + count, 0)
const { ok, messages } = await memory.verify()
await memory.close()
tell({ appended, ok, messages } satisfies SoakEnd)

/** Appends, reads, revises, clears and watches, with short pauses, so that idle work runs too. */
async function work(caller: number): Promise<number> {
  const chat = memory.scope(`soak/${caller}`).session('s')
  let count = 0
  while (performance.now() < end) {
    const [stored] = await chat.append({
      role: 'user',
      content: `Message ${count} of caller ${caller}`,
      metadata: { count },
    })
    count += 1
    if (count % 50 === 0) await chat.revise(stored.id, { content: 'revised' })
    if (count % 500 === 0) await chat.clear()
    if (count % 100 === 0) {
      await chat.recent(20)
      for await (const message of chat.watch({ after: count - 1 })) if (message.seq === count) break
      await sleep(20)
    }
  }
  return count
}

function sample(): Sample {
  collect()
  return {
    hours: (performance.now() - start) / 3_600_000,
    heapMb: process.memoryUsage().heapUsed / MEGABYTE,
    handles: readdirSync('/proc/self/fd').length,
    walMb: (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE,
  }
}
