import { expect, it } from 'vitest'
import type { ScopeEvent, ScopeEventKind } from '../../src/api/watching.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { JobRow } from '../../src/ports/job-store.ts'

const YEARS_AGO = Date.parse('2020-01-01')

/** A conversation as an archive, with the times of years ago. */
async function oldArchive(texts = ['One', 'Two']): Promise<Buffer> {
  await using memory = await openMemory(':memory:', { clock: { now: () => YEARS_AGO }, learn: false })
  const old = memory.scope('a').session('old')
  for (let at = 0; at < texts.length; at += 500)
    await old.append(texts.slice(at, at + 500).map((content) => ({ role: 'user' as const, content })))
  const pieces: Uint8Array[] = []
  for await (const piece of memory.scope('a').export()) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function read(events: AsyncIterable<ScopeEvent>, count: number): Promise<readonly ScopeEvent[]> {
  const seen: ScopeEvent[] = []
  for await (const event of events) if (seen.push(event) === count) break
  return seen
}

it('[inspector-19] a watch of a scope reports its jobs until they are done, and none of another scope', async () => {
  await using memory = await openMemory(':memory:')
  const events = memory.scope('a').watch({ kinds: ['job'] })
  await memory.scope('b').session('s').append({ role: 'user', content: 'I live in Oslo.' })
  await memory.scope('a').session('s').append({ role: 'user', content: 'I live in Lisbon.' })
  for await (const event of events) {
    expect(event).toMatchObject({ type: 'job', job: { scope: 'a' } })
    if (event.type === 'job' && event.job.state === 'done') break
  }
})

it('[inspector-19] a watch of a scope reports a job that changes behind hundreds of newer ones', async () => {
  await using memory = await openMemory(':memory:')
  const { jobs } = LocalMemory.partsOf(memory).store
  const row = (number: number, fields: Partial<JobRow> & Pick<JobRow, 'updatedAt'>): JobRow => ({
    id: `job-${number}`,
    kind: 'nobody-runs-it',
    scope: 'a',
    subject: `s${number}`,
    mark: 0,
    payload: null,
    state: 'done',
    attempts: 1,
    dueAt: 0,
    owner: null,
    error: null,
    result: null,
    createdAt: 0,
    ...fields,
  })
  const write = (number: number, order: 'insert' | 'update', state: JobRow['state']): Promise<unknown> =>
    jobs.change({
      of: { id: `job-${number}` },
      decide: ({ now }) => ({ answer: undefined, [order]: row(number, { state, updatedAt: now }) }),
    })
  for (let number = 0; number < 250; number++) await write(number, 'insert', 'done')
  const changed = read(memory.scope('a').watch({ kinds: ['job'] }), 1)
  // Nobody knows how long a watch takes to begin.
  const writing = setInterval(() => void write(0, 'update', 'cancelled'), 20)
  const [event] = await changed
  clearInterval(writing)
  expect(event).toMatchObject({ type: 'job', job: { id: 'job-0', state: 'cancelled' } })
})

it('[inspector-19] a watch of a scope reports a conversation that is imported with its old times, also after a reconnection', async () => {
  const archive = await oldArchive()
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  const kinds: readonly ScopeEventKind[] = ['session', 'message']
  const opening = read(scope.watch({ kinds }), 1)
  await scope.session('opening').append({ role: 'user', content: 'Hello' })
  const { cursor = '' } = (await opening)[0] ?? {}
  const watched = read(scope.watch({ kinds, after: cursor }), 4)
  await memory.import([archive])
  const wanted = ['session old', 'message old', 'message old']
  const named = (events: readonly ScopeEvent[]): readonly string[] =>
    events.flatMap((event) => ('session' in event && event.session === 'old' ? [`${event.type} old`] : []))
  expect(named(await watched)).toEqual(wanted)
  expect(named(await read(scope.watch({ kinds, after: cursor }), 4))).toEqual(wanted)
})

it('[inspector-19] a watch of a scope reports all of a long conversation while it is imported, also from a cursor in its middle', async () => {
  const count = 1_300
  const lines = (await oldArchive(Array.from({ length: count }, String))).toString().split(/(?<=\n)/)
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  const kinds: readonly ScopeEventKind[] = ['session', 'message']
  const opening = read(scope.watch({ kinds }), 2)
  await scope.session('opening').append({ role: 'user', content: 'Hello' })
  const { cursor = '' } = (await opening).at(-1) ?? {}
  const through = read(scope.watch({ kinds, after: cursor }), 1 + count + 20)
  // The import goes on when what it has stored so far is reported.
  const { promise: isReported, resolve: report } = Promise.withResolvers<undefined>()
  async function* pieces(): AsyncGenerator<string> {
    yield lines.slice(0, 700).join('')
    await isReported
    yield lines.slice(700).join('')
  }
  const importing = memory.import(pieces())
  const beginning = await read(scope.watch({ kinds, after: cursor }), 300)
  for (let number = 0; number < 10; number++)
    await scope.session(`new${number}`).append({ role: 'user', content: 'Hello' })
  const middle = await read(scope.watch({ kinds, after: beginning.at(-1)?.cursor ?? '' }), 201 + 20)
  report(undefined)
  await importing
  const end = await read(scope.watch({ kinds, after: middle.at(-1)?.cursor ?? '' }), count - 500)
  const seqs = (events: readonly ScopeEvent[]): readonly number[] =>
    events.flatMap((event) => (event.type === 'message' && event.session === 'old' ? [event.message.seq] : []))
  const wanted = Array.from({ length: count }, (_, index) => index + 1)
  expect(seqs([...beginning, ...middle, ...end])).toEqual(wanted)
  expect(seqs(await through)).toEqual(wanted)
})
