import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Memory } from '../src/api/memory.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { type Server, serve } from '../src/server/serve.ts'
import { driverFor } from '../src/stores/sqlite/driver.ts'
import { openDatabase } from '../src/stores/sqlite/open-database.ts'
import { type Answered, httpLoad, type LoadRequest } from './http-load.ts'
import { type Figure, median } from './measure.ts'

const ROUNDS = 3
const ROUND_MS = 3_000
const TEXT = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)
const BODY = JSON.stringify({ messages: { role: 'user', content: TEXT } })
const PATH = '/v1/scopes/bench%2Fada/sessions/s'
const APPEND: LoadRequest = { name: 'append', path: `${PATH}/messages`, body: BODY }

interface Target {
  readonly port: number
  readonly token: string
  close(): Promise<void>
}

/** [serve-6] The server beside a bare hono route that commits each request, in one run. */
export async function serverBenchmark(directory: string): Promise<readonly Figure[]> {
  return [
    ...(await appends(directory)),
    ...(await reads(join(directory, 'server-reads.db'))),
    await overload(join(directory, 'server-overload.db')),
  ]
}

async function appends(directory: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const connections of [1, 16, 64]) {
    const bare: Answered[] = []
    const ours: Answered[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const name = `${connections}-${round}.db`
      bare.push(await measured(await bareRoute(join(directory, `bare-http-${name}`)), connections))
      ours.push(
        await measured(await daybook(await openMemory(join(directory, `http-${name}`), { learn: false })), connections),
      )
    }
    const ratio = median(ours.map(({ rate }, round) => rate / (bare[round]?.rate ?? Number.NaN)))
    const told = (side: readonly Answered[]): string =>
      `${median(side.map(({ rate }) => rate)).toFixed(0)}/s p99 ${median(side.map(({ p99 }) => p99)).toFixed(1)} ms`
    figures.push({
      requirement: '[serve-6]',
      what: `durable appends over HTTP, ${connections} connections`,
      value: ratio,
      unit: '×',
      goal: { atLeast: connections === 64 ? 4 : 0.3 },
      note: `${told(ours)}, bare route ${told(bare)}`,
    })
  }
  return figures
}

async function reads(file: string): Promise<readonly Figure[]> {
  const memory = await openMemory(file, { learn: false })
  const words = ['order', 'late', 'parcel', 'Berlin', 'invoice', 'refund', 'Tuesday', 'bicycle', 'garden', 'report']
  for (let batch = 0; batch < 100; batch++) {
    await memory
      .scope('bench/ada')
      .session(batch % 10 === 0 ? 's' : `s${batch}`)
      .append(
        Array.from({ length: 1_000 }, (_, index) => ({
          role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
          content: `${words[index % 10]} ${batch} ${words[(index * 7) % 10]} number ${index}`,
        })),
      )
  }
  // The first context folds the long session and the first question posts the index: both happen once.
  await memory.scope('bench/ada').session('s').context({ budget: 8_000 })
  await memory.scope('bench/ada').recall('warm', { fresh: true })
  const target = await daybook(memory)
  const ask = async (name: string, path: string, body: object): Promise<Answered> =>
    httpLoad({ ...target, connections: 1, ms: ROUND_MS, requests: [{ name, path, body: JSON.stringify(body) }] })
  const context = await ask('context', `${PATH}/context`, { budget: 8_000 })
  const recall = await ask('recall', '/v1/scopes/bench%2Fada/recall', {
    query: 'what did the invoice of Tuesday 42 say?',
  })
  await target.close()
  return [
    figure(
      'context over HTTP on 100,000 messages, p99',
      context.p99,
      100,
      `${context.rate.toFixed(0)}/s p50 ${context.p50.toFixed(1)} ms`,
    ),
    figure(
      'recall over HTTP on 100,000 messages, p99',
      recall.p99,
      200,
      `${recall.rate.toFixed(0)}/s p50 ${recall.p50.toFixed(1)} ms`,
    ),
  ]
}

function figure(what: string, value: number, atMost: number, note: string): Figure {
  return { requirement: '[serve-6]', what, value, unit: ' ms', goal: { atMost }, note }
}

/** One key with ten times what it may have at once, beside one that asks now and then. */
async function overload(file: string): Promise<Figure> {
  const memory = await openMemory(file, { learn: false })
  const noisy = await memory.keys.create({ scope: 'bench', can: ['write'] })
  const quiet = await memory.keys.create({ scope: 'bench', can: ['write'] })
  const server = await serve(memory, { port: 0, limits: { ratePerSecond: 1_500 } })
  const port = portOf(server)
  const ask = { port, requests: [APPEND], ms: ROUND_MS }
  const calm = { ...ask, token: quiet.token, connections: 1, pauseMs: 5 }
  const alone: Answered[] = []
  const beside: Answered[] = []
  let shed: Answered['statuses'] = {}
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await httpLoad(calm))
    // The crowd is there before the quiet one comes, and stays longer.
    const crowd = httpLoad({ ...ask, token: noisy.token, connections: 160, greedy: true, ms: ROUND_MS + 2_000 })
    await setTimeout(1_000)
    beside.push(await httpLoad(calm))
    shed = (await crowd).statuses
  }
  await server.close()
  await memory.close()
  const told = (share: 'p50' | 'p99'): string =>
    `${share} ${[alone, beside].map((side) => median(side.map((answered) => answered[share])).toFixed(1)).join(' → ')} ms`
  const counts = Object.entries(shed).map(([status, count]) => `${count} × ${status}`)
  return {
    requirement: '[serve-6]',
    what: 'quiet key beside a noisy one with 160 connections, p99 against alone',
    value: median(beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN))),
    unit: '×',
    goal: { atMost: 5 },
    note: `${told('p99')}, ${told('p50')}; the noisy one got ${counts.join(', ')}`,
  }
}

async function measured(target: Target, connections: number): Promise<Answered> {
  try {
    return await httpLoad({ ...target, connections, requests: [APPEND], ms: ROUND_MS })
  } finally {
    await target.close()
  }
}

async function daybook(memory: Memory): Promise<Target> {
  const { token } = await memory.keys.create({ scope: 'bench', can: ['write', 'read'] })
  const server = await serve(memory, { port: 0, limits: { ratePerSecond: 1e6 } })
  return {
    port: portOf(server),
    token,
    close: async () => {
      await server.close()
      await memory.close()
    },
  }
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port)
}

/** What one writes first: the body into a table, one commit a request, the same durability. */
async function bareRoute(file: string): Promise<Target> {
  const database = openDatabase(file, Date.now, await driverFor(undefined))
  database.exec('CREATE TABLE plain (id INTEGER PRIMARY KEY, body TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO plain (body) VALUES (?)')
  const app = new Hono()
  app.post(`${PATH}/messages`, async (context) => {
    const body = (await context.req.json()) as unknown
    const { lastInsertRowid } = insert.run(JSON.stringify(body))
    return context.json({ id: Number(lastInsertRowid) }, 201)
  })
  const server = createAdaptorServer({ fetch: app.fetch, createServer, overrideGlobalObjects: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    token: 'none',
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      database.close()
    },
  }
}
