import { join } from 'node:path'
import type { Memory } from '../src/api/memory.ts'
import type { Scope } from '../src/api/scope.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { serve } from '../src/server/serve.ts'
import { httpLoad } from './http-load.ts'
import type { Figure } from './measure.ts'

const MIB = 1024 * 1024
const TEXT_CHARACTERS = 4 * MIB
const GOAL_MS = 50

interface Case {
  readonly what: string
  readonly prepare?: (memory: Memory, scope: Scope) => Promise<unknown>
  readonly run: (memory: Memory, scope: Scope) => Promise<unknown>
}

/** Appends a text, lets everything in the background work on it, and asks about it. */
function textCase(what: string, write: () => string): Case {
  let text = ''
  return {
    what,
    prepare: async () => {
      text = write()
    },
    run: async (memory, scope) => {
      await scope.session('long').append({ role: 'user', content: text })
      await memory.settled()
      await scope.session('long').context({ budget: 8_000 })
      await scope.recall('what was that about?')
    },
  }
}

const pick = (from: string, length: number): string => {
  const letters = [...from]
  return Array.from({ length }, (_, at) => letters[(at * 7919 + (at >> 3)) % letters.length]).join('')
}

/** Each fits into a request. */
const LONG_TEXTS: readonly (() => string)[] = [
  () => 'x'.repeat(3 * MIB),
  () => pick('アイウエオカキクケコサシスセソタチツテト', 1_000_000),
  () => Array.from({ length: 300_000 }, (_, n) => `w${n.toString(36)}`).join(' '),
  () => 'the order of the customer is late and the depot is closed '.repeat(50_000),
]

let metadata: Record<string, number> = {}
const cases: readonly Case[] = [
  textCase('4 MiB without a space', () => 'x'.repeat(TEXT_CHARACTERS)),
  textCase('1.2 million katakana', () => pick('アイウエオカキクケコサシスセソタチツテト', 1_200_000)),
  textCase('430,000 distinct words', () => Array.from({ length: 430_000 }, (_, n) => `w${n.toString(36)}`).join(' ')),
  textCase('4 MB of Chinese', () => pick('的一是了我不人在他有这个上们来到时大地为', 1_300_000)),
  {
    what: 'metadata of 99,000 fields',
    prepare: async () => {
      metadata = Object.fromEntries(Array.from({ length: 99_000 }, (_, n) => [`field-${n}`, n]))
    },
    run: async (memory, scope) => {
      await scope.session('s').append({ role: 'user', content: 'Fields', metadata })
      await memory.settled()
      await scope.session('s').history()
    },
  },
  {
    what: '1,000 messages of 4 kB in one call',
    run: async (memory, scope) => {
      const content = 'the order of the customer is late and the depot is closed '.repeat(70)
      await scope.session('s').append(Array.from({ length: 1_000 }, () => ({ role: 'user' as const, content })))
      await memory.settled()
    },
  },
  {
    what: 'a context of sixteen messages of 1 MiB',
    prepare: async (_memory, scope) => {
      for (let n = 0; n < 16; n++)
        await scope.session('s').append({ role: 'user', content: `the order is late ${n} `.repeat(50_000) })
    },
    run: (_memory, scope) => scope.session('s').context({ budget: 8_000 }),
  },
  {
    what: 'a compaction of forty messages of 100 kB',
    prepare: async (_memory, scope) => {
      for (let n = 0; n < 40; n++)
        await scope.session('s').append({
          role: n % 2 === 0 ? 'user' : 'assistant',
          content: `Order 77${n} was late on 3 March. `.repeat(3_200),
        })
    },
    run: (_memory, scope) => scope.session('s').compact({ force: true }),
  },
  {
    what: '1,000 facts in one call',
    run: async (memory, scope) => {
      await scope.remember(
        Array.from({ length: 1_000 }, (_, n) => ({
          subject: `Person ${n}`,
          predicate: 'lives in',
          object: { entity: `City ${n % 50}` },
        })),
      )
      await memory.settled()
    },
  },
  {
    what: '100 facts of 32 kB',
    run: async (memory, scope) => {
      const object = (n: number): string => `${n} ${'because the depot was closed all week '.repeat(850)}`
      await scope.remember(
        Array.from({ length: 100 }, (_, n) => ({ subject: 'Ada', predicate: `note ${n}`, object: object(n) })),
      )
      await memory.settled()
    },
  },
  {
    what: 'a question of 8,000 characters',
    prepare: (memory, scope) => fill(memory, scope),
    run: (_memory, scope) =>
      scope.recall(
        Array.from({ length: 1_600 }, (_, n) => `q${n.toString(36)}`)
          .join(' ')
          .slice(0, 8_000),
      ),
  },
  {
    what: 'a question of 30,000 words, which is refused',
    prepare: (memory, scope) => fill(memory, scope),
    run: (_memory, scope) =>
      scope
        .recall(Array.from({ length: 30_000 }, (_, n) => `q${n.toString(36)}`).join(' '))
        .catch((error: unknown) => error),
  },
  {
    what: 'an export',
    prepare: (memory, scope) => fill(memory, scope),
    run: async (memory) => {
      let characters = 0
      for await (const piece of memory.export()) characters += piece.length
      return characters
    },
  },
  {
    what: 'overwriting what was forgotten',
    prepare: (memory, scope) => fill(memory, scope),
    run: (_memory, scope) => scope.forget({ session: 's0' }),
  },
  {
    what: 'the first context of a session of 100,000 messages',
    prepare: async (memory, scope) => {
      const said = { role: 'user' as const, content: 'hi there' }
      for (let n = 0; n < 100; n++) await scope.session('s').append(Array.from({ length: 1_000 }, () => said))
      await memory.settled()
    },
    run: (_memory, scope) => scope.session('s').context({ budget: 8_000 }),
  },
  {
    what: 'a context of 20,000 tool calls in one message',
    prepare: (_memory, scope) =>
      scope.session('s').append({
        role: 'assistant',
        toolCalls: Array.from({ length: 20_000 }, (_, n) => ({ id: `c${n}`, name: 'read', arguments: { n } })),
      }),
    run: (_memory, scope) =>
      scope
        .session('s')
        .context({ budget: 8_000 })
        .catch((error: unknown) => error),
  },
  {
    what: 'a message of 10,000 parts',
    run: async (memory, scope) => {
      const parts = Array.from({ length: 10_000 }, (_, n) => ({
        type: 'text' as const,
        text: `part ${n} of the order`,
      }))
      await scope.session('s').append({ role: 'user', parts })
      await memory.settled()
      await scope.session('s').context({ budget: 8_000 })
    },
  },
  {
    what: 'a revision of a message of 4 MB',
    prepare: (_memory, scope) =>
      scope.session('s').append({ id: 'long', role: 'user', content: 'the order is late '.repeat(220_000) }),
    run: async (memory, scope) => {
      await scope.session('s').revise('long', { tags: ['seen'] })
      await memory.settled()
    },
  },
  {
    what: 'a sync of 5,000 messages',
    run: async (_memory, scope) => {
      const messages = Array.from({ length: 5_000 }, (_, n) => ({
        role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Message ${n}: ${'the order of the customer is late and the depot is closed '.repeat(8)}`,
      }))
      await scope.session('s').sync(messages)
      await scope.session('s').sync(messages)
    },
  },
  {
    what: 'consolidating 2,000 facts of 1 kB',
    prepare: async (_memory, scope) => {
      for (let batch = 0; batch < 2; batch++)
        await scope.remember(
          Array.from({ length: 1_000 }, (_, n) => ({
            subject: `Person ${batch}-${n}`,
            predicate: 'note',
            object: `${n} ${'because the depot was closed '.repeat(35)}`,
          })),
        )
    },
    run: (_memory, scope) => scope.consolidate(),
  },
  { what: 'verify', prepare: (memory, scope) => fill(memory, scope), run: (memory) => memory.verify() },
]

async function fill(memory: Memory, scope: Scope): Promise<void> {
  for (let session = 0; session < 10; session++)
    await scope.session(`s${session}`).append(
      Array.from({ length: 1_000 }, (_, n) => ({
        role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Message ${session}-${n}: ${'the order of the customer is late and the depot is closed '.repeat(8)}`,
      })),
    )
  await memory.settled()
}

/** What a program loads when it starts is not what it does later. */
async function warmUp(): Promise<void> {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('bench/ada')
  await scope.session('s').append({ role: 'user', content: 'I live in Lisbon, and the depot was closed in March.' })
  await scope.remember({ subject: 'Ada', predicate: 'lives in', object: { entity: 'Lisbon' } })
  await memory.settled()
  await scope.session('s').context({ budget: 8_000 })
  await scope.recall('where do I live?')
  for await (const _ of memory.export());
  await memory.verify()
  await scope.forget({ session: 's' })
}

/** [walls-217] The longest task on the event loop while long texts and large requests are worked on. */
export async function stallsBenchmark(directory: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  await warmUp()
  for (const [nth, { what, prepare, run }] of cases.entries()) {
    await using memory = await openMemory(join(directory, `stalls-${nth}.db`))
    const scope = memory.scope('bench/ada')
    await prepare?.(memory, scope)
    figures.push(figureOf(what, await longestTask(() => run(memory, scope))))
  }
  const tokenizer = async (): Promise<void> => {
    await using memory = await openMemory(':memory:', { tokenizer: 'o200k_base' })
    await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
  }
  figures.push(figureOf('the first use of an exact tokenizer', await longestTask(tokenizer)))
  return [...figures, await health(join(directory, 'stalls-health.db'))]
}

const HEALTH_MS = 20_000

/** [walls-252] How long the others wait for a server while long texts come in over HTTP. */
async function health(file: string): Promise<Figure> {
  await using memory = await openMemory(file)
  const { token } = await memory.keys.create({ scope: 'bench', can: ['read', 'write'] })
  const server = await serve(memory, { port: 0 })
  const send = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/v1/scopes/bench%2Fada/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
  }
  try {
    const port = Number(new URL(server.url).port)
    let on = true
    const requests = [{ name: 'health', path: '/healthz', body: '', method: 'GET' as const }]
    const asking = httpLoad({ port, token, connections: 1, ms: HEALTH_MS, requests, pauseMs: 1 }).finally(() => {
      on = false
    })
    for (let n = 0; on; n++) {
      const content = LONG_TEXTS[n % LONG_TEXTS.length]?.() ?? ''
      await send(`sessions/s${n}/messages`, { messages: { role: 'user', content } })
      await send('recall', { query: 'what was that about?' })
      await send(`sessions/s${n}/context`, { budget: 8_000 })
    }
    const { p50, p99, rate } = await asking
    return {
      requirement: '[walls-252]',
      what: '/healthz while texts of 1 to 3 MB come in, p99',
      value: p99,
      unit: ' ms',
      goal: { atMost: 100 },
      note: `p50 ${p50.toFixed(1)} ms, ${rate.toFixed(0)}/s`,
    }
  } finally {
    await server.close()
  }
}

interface Longest {
  readonly cpuMs: number
  readonly wallMs: number
  readonly allMs: number
}

function figureOf(what: string, { cpuMs, wallMs, allMs }: Longest): Figure {
  return {
    requirement: '[walls-217]',
    what: `longest task: ${what}`,
    value: cpuMs,
    unit: ' ms',
    goal: { atMost: GOAL_MS },
    note: `processor time of the main thread; ${wallMs.toFixed(0)} ms by the clock; ${allMs.toFixed(0)} ms in all`,
  }
}

/** Other programs take the processor as they like: what counts is the time that the thread itself used between two turns. */
async function longestTask(work: () => Promise<unknown>): Promise<Longest> {
  const longest = { cpuMs: 0, wallMs: 0 }
  let [cpu, wall, on] = [process.threadCpuUsage(), performance.now(), true]
  const turn = (): void => {
    const used = process.threadCpuUsage(cpu)
    longest.cpuMs = Math.max(longest.cpuMs, (used.user + used.system) / 1_000)
    longest.wallMs = Math.max(longest.wallMs, performance.now() - wall)
    ;[cpu, wall] = [process.threadCpuUsage(), performance.now()]
    if (on) setImmediate(turn)
  }
  const started = performance.now()
  setImmediate(turn)
  await work()
  on = false
  await new Promise((resolve) => setImmediate(resolve))
  return { ...longest, allMs: performance.now() - started }
}
