// Writes a life of a file under the shim. Each acknowledgement is a line in <file>.mark, so that the journal has it in order.
import { openSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import Database from 'better-sqlite3'

import { MemoryError } from '../../../src/domain/error.ts'
import type { Memory } from '../../../src/api/memory.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Session } from '../../../src/api/session.ts'
import { tell, waitForGo } from '../harness/parent.ts'
import { textOf } from '../harness/text.ts'

export interface WriterTask {
  /** `small`: everything the log can do, on a small file. `brief`: the same, once. `large`: a write-ahead log past its checkpoint. */
  readonly life: 'small' | 'brief' | 'large'
  /** Sabotage: what better-sqlite3 does by itself. */
  readonly weakSync: boolean
}

const [file = ''] = process.argv.slice(2)
const task = waitForGo() as WriterTask
const IDLE_MS = 1_200
const WAL_BYTES = 4.5 * 1024 * 1024

if (task.weakSync) weakenSync()
const marks = openSync(`${file}.mark`, 'a')
let unknown = 0

const pixels = (key: string): Uint8Array => Buffer.from(`pixels of ${textOf(key, 9_000)}`)

await live()
tell({ unknown })

async function live(): Promise<void> {
  for (const round of task.life === 'small' ? [1, 2] : [1]) {
    const memory = await openMemory(file)
    if (task.life === 'large') await largeLife(memory)
    else await smallLife(memory, round)
    await memory.close()
  }
  // This handle is never closed: the file ends in the middle of its life.
  await append((await openMemory(file)).scope('acme/ada').session('one'), 'last')
}

async function smallLife(memory: Memory, round: number): Promise<void> {
  const scope = memory.scope('acme/ada')
  const [one, two, three] = ['one', 'two', 'three'].map((id) => scope.session(id)) as [Session, Session, Session]
  for (let step = 0; step < 24; step++) {
    const key = `r${round}-${step}`
    // Several callers at once: one sync serves them all.
    await Promise.all(
      [one, two, three].flatMap((session) => [append(session, `${key}-a`), append(session, `${key}-b`)]),
    )
    if (step % 4 === 0)
      await change({ kind: 'revise', session: 'one', id: `${key}-a` }, () =>
        one.revise(`${key}-a`, { content: `revised ${key}` }),
      )
    if (step % 4 === 1) await change({ kind: 'remove', session: 'two', id: `${key}-b` }, () => two.remove(`${key}-b`))
    if (step % 6 === 2) await change({ kind: 'clear', session: 'three' }, () => three.clear())
    if (step % 6 === 3) await change({ kind: 'fork', session: `fork-${key}` }, () => two.fork(`fork-${key}`))
    if (step % 6 === 4) await append(one, `${key}-image`, pixels(key))
  }
  if (task.life === 'brief') return
  await setTimeout(IDLE_MS)
  await append(one, `r${round}-awake`)
}

async function largeLife(memory: Memory): Promise<void> {
  const scope = memory.scope('acme/ada')
  for (let bytes = 0, step = 0; bytes < WAL_BYTES; step++) {
    const text = textOf(`big-${step}`, 90_000)
    bytes += text.length
    await append(scope.session('one'), `big-${step}`, undefined, text)
  }
  for (let step = 0; step < 20; step++)
    await Promise.all(['one', 'two'].map((id) => append(scope.session(id), `after-${step}`)))
  await setTimeout(IDLE_MS)
  for (let step = 0; step < 5; step++) await append(scope.session('one'), `awake-${step}`)
}

async function append(session: Session, key: string, image?: Uint8Array, text: string = textOf(key)): Promise<void> {
  const message = { role: 'user' as const, id: key, content: text, ...(image === undefined ? {} : { images: [image] }) }
  await change({ kind: 'message', session: session.id, id: key }, () => session.append(message))
}

/** Acknowledges what was done; what the disk left open is asked again, as a caller would. */
async function change(ack: object, run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run()
      return acknowledge(ack)
    } catch (error) {
      // The attempt whose outcome was unknown had made the fork.
      if (unknown > 0 && MemoryError.is(error, 'log/exists')) return acknowledge(ack)
      if (!MemoryError.is(error) || !error.code.startsWith('store/') || unknown > 5) throw error
      unknown += 1
    }
  }
}

function acknowledge(ack: object): void {
  writeSync(marks, `${JSON.stringify(ack)}\n`)
}

function weakenSync(): void {
  const pragma = Database.prototype.pragma
  Database.prototype.pragma = function (this: Database.Database, source: string, options?: Database.PragmaOptions) {
    return pragma.call(this, source === 'synchronous = FULL' ? 'synchronous = NORMAL' : source, options)
  }
}
