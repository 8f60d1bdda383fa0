import { expect, it } from 'vitest'
import type { ScopeEvent, ScopeEventKind } from '../../src/api/watching.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { JobRow } from '../../src/ports/job-store.ts'

const YEARS_AGO = Date.parse('2020-01-01')

/** A conversation as an archive, with the times of years ago. */
async function oldArchive(): Promise<Buffer> {
  await using memory = await openMemory(':memory:', { clock: { now: () => YEARS_AGO }, learn: false })
  await memory
    .scope('a')
    .session('old')
    .append(['One', 'Two'].map((content) => ({ role: 'user' as const, content })))
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
