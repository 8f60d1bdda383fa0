// One of several processes on one file: appends, reads, searches, revises and watches for a while, then tells how it went.
import type { Message } from '../../../src/domain/message.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'
import { Random } from '../harness/random.ts'
import { sha, textOf } from '../harness/text.ts'

export interface CrowdReport {
  readonly name: string
  readonly errors: readonly string[]
  /** What went wrong with the order of what was watched or read. */
  readonly disorder: readonly string[]
  readonly acks: readonly {
    readonly session: string
    readonly seq: number
    readonly id: string
    readonly sha: string
  }[]
  readonly operations: Readonly<Record<string, number>>
  readonly watched: number
  readonly waitMsMax: number
}

const CALLERS = 3
const [file = '', name = ''] = process.argv.slice(2)
const { seed, lastsMs } = waitForGo() as { readonly seed: number; readonly lastsMs: number }

const random = new Random(seed)
const errors: string[] = []
const disorder: string[] = []
const acks: CrowdReport['acks'][number][] = []
const operations: Record<string, number> = {}
let waitMsMax = 0
let number = 0

const memory = await openMemory(file)
const shared = memory.scope('acme/ada').session('shared')
const own = memory.scope('acme/ada').session(name)
const end = performance.now() + lastsMs
const stop = new AbortController()
const watching = watch()
await Promise.all(Array.from({ length: CALLERS }, work))
stop.abort()
const watched = await watching
await attempt('close', () => memory.close())
tell({ name, errors, disorder, acks, operations, watched, waitMsMax } satisfies CrowdReport)

async function work(): Promise<void> {
  while (performance.now() < end) {
    const session = random.chance(0.5) ? shared : own
    const dice = random.next()
    if (dice < 0.6) await append(session)
    else if (dice < 0.7) await attempt('history', () => session.history({ limit: 50 }))
    else if (dice < 0.8) await attempt('recent', async () => inOrder(await session.recent(50)))
    else if (dice < 0.9) await attempt('search', () => session.search('abc', { limit: 5 }))
    else await revise()
  }
}

async function append(session: typeof shared): Promise<void> {
  const id = `${name}-${number++}`
  const [stored] = (await attempt('append', () => session.append({ role: 'user', id, content: textOf(id, 500) }))) ?? []
  if (stored !== undefined) acks.push({ session: session.id, seq: stored.seq, id, sha: sha(textOf(id, 500)) })
}

async function revise(): Promise<void> {
  const mine = acks.filter((ack) => ack.session === name)
  const last = mine.at(-1)
  if (last !== undefined) await attempt('revise', () => own.revise(last.id, { metadata: { revised: true } }))
}

async function watch(): Promise<number> {
  let seen = 0
  await attempt('watch', async () => {
    for await (const message of shared.watch({ after: 0, signal: stop.signal })) {
      if (message.seq !== seen + 1) disorder.push(`watched ${message.seq} after ${seen}`)
      seen = message.seq
    }
  })
  return seen
}

function inOrder(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]
    if (before !== undefined && message.seq !== before.seq + 1) disorder.push(`read ${message.seq} after ${before.seq}`)
  }
}

async function attempt<Result>(what: string, run: () => Promise<Result>): Promise<Result | undefined> {
  const started = performance.now()
  try {
    const result = await run()
    operations[what] = (operations[what] ?? 0) + 1
    if (what !== 'watch') waitMsMax = Math.max(waitMsMax, performance.now() - started)
    return result
  } catch (error) {
    errors.push(`${what}: ${error instanceof Error ? String(error.stack) : String(error)}`)
    return undefined
  }
}
