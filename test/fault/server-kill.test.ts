import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { connectMemory } from '../../src/client/connect-memory.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { figures } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { Ledger } from './harness/ledger.ts'
import { seeded } from './harness/seeded.ts'
import { sha, textOf } from './harness/text.ts'

const SERVER = new URL('children/http-server.ts', import.meta.url)
const LIFE_MS_MAX = 300
const WRITERS = 8
const kills = times({ daily: 50, nightly: 200 })
const timeout = times({ daily: 5, nightly: 60 }) * 60_000

interface Listening {
  readonly url: string
  readonly link: string
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Writing {
  readonly ledger: Ledger
  readonly ended: AbortSignal
  readonly counts: { retried: number }
}

/** Appends without end; a call that was given up is asked for again under its name, as a careful program does. */
async function write(memory: Memory, name: string, { ledger, ended, counts }: Writing): Promise<void> {
  const session = memory.scope('acme/ada').session(`s${name}`)
  for (let number = 0; !ended.aborted; number++) {
    const key = `${name}-${number}`
    for (;;) {
      try {
        const [stored] = await session.append({ role: 'user', content: textOf(key) }, { operationId: key })
        if (stored !== undefined)
          ledger.add({ kind: 'message', session: session.id, seq: stored.seq, id: stored.id, sha: sha(textOf(key)) })
        break
      } catch (error) {
        if (!MemoryError.is(error, 'server/unavailable')) throw error
        counts.retried += 1
      }
    }
  }
}

describe('kill -9 of the server', () => {
  beforeAll(() => warm(SERVER))

  it('[serve-5] loses nothing that a client was told is stored, and doubles nothing', { timeout }, async () => {
    using folder = new Folder()
    const file = folder.file('served.db')
    const random = seeded()
    const port = await freePort()
    const start = (): Child => new Child(SERVER, [file, String(port)])
    const ledger = new Ledger()
    const ended = new AbortController()
    const counts = { retried: 0 }
    let writers: readonly Promise<void>[] = []
    let waiting = start()
    for (let kill = 0; kill < kills; kill++) {
      const server = waiting
      if (kill + 1 < kills) waiting = start()
      const listening = new Promise<Listening>((resolve) => server.onLine((line) => resolve(line as Listening)))
      await server.go()
      const { url, link } = await Promise.race([
        listening,
        server.ended.then(() => {
          throw new Error(server.errors)
        }),
      ])
      if (writers.length === 0) {
        const key = link.split('#key=')[1] ?? ''
        const memory = connectMemory(url, { key, retryPausesMs: Array.from({ length: 200 }, () => 10) })
        writers = Array.from({ length: WRITERS }, (_, index) =>
          write(memory, String(index), { ledger, ended: ended.signal, counts }),
        )
      }
      await setTimeout(random.next() * LIFE_MS_MAX)
      if (kill + 1 === kills) {
        ended.abort()
        await Promise.all(writers)
      }
      await server.kill()
      expect(server.errors).toBe('')
    }
    await using memory = await openMemory(file)
    const { lost, wrong, messages } = await ledger.check(memory, 'acme/ada')
    expect({ lost, wrong }).toEqual({ lost: [], wrong: [] })
    expect(messages).toBe(ledger.size)
    figures('server kills', {
      kills,
      acknowledged: ledger.size,
      stored: messages,
      'given up and asked again': counts.retried,
    })
  })
})
