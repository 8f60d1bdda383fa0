import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { connectMemory } from '../../src/client/connect-memory.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { Memory } from '../../src/api/memory.ts'
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
/** Longer than a lease, so that what a killed server left is settled by the next ones. */
const LONG_LIFE_MS_MAX = 1_500
const WRITERS = 8
const kills = times({ daily: 40, nightly: 200 })
const timeout = times({ daily: 8, nightly: 60 }) * 60_000

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

interface Served {
  readonly url: string
  readonly key: string
}

/** Starts a server, lets it live a while, kills it, and starts the next on the same port; `last` is asked before the last kill. */
async function killAgainAndAgain(
  file: string,
  terms: { readonly kills: number; readonly lifeMsMax: number },
  { first, last }: { readonly first: (served: Served) => void; readonly last: () => Promise<void> },
): Promise<void> {
  const random = seeded()
  const port = await freePort()
  const start = (): Child => new Child(SERVER, [file, String(port)])
  let waiting = start()
  for (let kill = 1; kill <= terms.kills; kill++) {
    const server = waiting
    if (kill < terms.kills) waiting = start()
    const listening = new Promise<Listening>((resolve) => server.onLine((line) => resolve(line as Listening)))
    await server.go()
    const { url, link } = await Promise.race([
      listening,
      server.ended.then(() => {
        throw new Error(server.errors)
      }),
    ])
    if (kill === 1) first({ url, key: link.split('#key=')[1] ?? '' })
    await setTimeout(random.next() * terms.lifeMsMax)
    if (kill === terms.kills) await last()
    await server.kill()
    expect(server.errors).toBe('')
  }
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

/** What a writer of other things than messages was told. */
interface Told {
  facts: number
  revisions: number
  forks: number
  /** Told that nobody knows. */
  unknown: number
}

/** Remembers, revises and forks without end, each with a key of its own that the client makes. */
async function change(memory: Memory, name: string, ended: AbortSignal): Promise<Told> {
  const told: Told = { facts: 0, revisions: 0, forks: 0, unknown: 0 }
  const scope = memory.scope('acme/ada')
  const session = scope.session(`r${name}`)
  await session.append({ id: `m${name}`, role: 'user', content: 'first' })
  const deeds: readonly [keyof Told, (number: number) => Promise<unknown>][] = [
    ['facts', (number) => scope.remember({ subject: `w${name}`, predicate: 'did', object: `thing ${number}` })],
    ['revisions', (number) => session.revise(`m${name}`, { content: `revised ${number}` })],
    ['forks', (number) => session.fork(`f${name}-${number}`)],
  ]
  for (let number = 0; !ended.aborted; number++) {
    for (const [kind, deed] of deeds) {
      try {
        await deed(number)
        told[kind] += 1
      } catch (error) {
        if (!MemoryError.is(error, 'access/not-repeated')) throw error
        told.unknown += 1
      }
    }
  }
  return told
}

describe('kill -9 of the server', () => {
  beforeAll(() => warm(SERVER))

  it('[serve-5] loses nothing that a client was told is stored, and doubles nothing', { timeout }, async () => {
    using folder = new Folder()
    const file = folder.file('served.db')
    const ledger = new Ledger()
    const ended = new AbortController()
    const counts = { retried: 0 }
    let writers: readonly Promise<void>[] = []
    await killAgainAndAgain(
      file,
      { kills, lifeMsMax: LIFE_MS_MAX },
      {
        first: ({ url, key }) => {
          const memory = connectMemory(url, { key, retryPausesMs: Array.from({ length: 200 }, () => 10) })
          writers = Array.from({ length: WRITERS }, (_, index) =>
            write(memory, String(index), { ledger, ended: ended.signal, counts }),
          )
        },
        last: async () => {
          ended.abort()
          await Promise.all(writers)
        },
      },
    )
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

  it(
    '[serve-5] [http-3] does what is not an append once, also when it ends between the deed and the answer',
    { timeout },
    async () => {
      using folder = new Folder()
      const file = folder.file('changed.db')
      const ended = new AbortController()
      let writers: readonly Promise<Told>[] = []
      let told: readonly Told[] = []
      const changeKills = times({ daily: 12, nightly: 200 })
      await killAgainAndAgain(
        file,
        { kills: changeKills, lifeMsMax: LONG_LIFE_MS_MAX },
        {
          first: ({ url, key }) => {
            const memory = connectMemory(url, { key, retryPausesMs: Array.from({ length: 10_000 }, () => 10) })
            writers = Array.from({ length: WRITERS }, (_, index) => change(memory, String(index), ended.signal))
          },
          last: async () => {
            ended.abort()
            told = await Promise.all(writers)
          },
        },
      )
      await using memory = await openMemory(file, { learn: false })
      const scope = memory.scope('acme/ada')
      const stored = await Promise.all(
        told.map(async (_, index): Promise<Told> => {
          const facts = await scope.facts({ subject: `w${index}`, limit: 100_000 })
          expect(facts.filter(({ sourceCount }) => sourceCount !== 1)).toEqual([])
          const message = await scope.session(`r${index}`).get(`m${index}`)
          const { sessions } = await scope.sessions({ text: `f${index}-`, limit: 100_000 })
          return { facts: facts.length, revisions: message?.revision ?? -1, forks: sessions.length, unknown: 0 }
        }),
      )
      expect(stored).toEqual(told)
      const sum = (kind: keyof Told): number => told.reduce((total, one) => total + one[kind], 0)
      figures('server kills between deed and answer', {
        kills: changeKills,
        facts: sum('facts'),
        revisions: sum('revisions'),
        forks: sum('forks'),
        unknown: sum('unknown'),
      })
    },
  )
})
