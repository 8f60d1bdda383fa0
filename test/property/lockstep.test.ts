import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import type { Role } from '../../src/domain/message.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { ManualClock } from '../contract/subject.ts'
import { Subjects } from '../postgres/database.ts'
import { times } from '../tier.ts'
import { adversarialString } from './strings.ts'

const subjects = new Subjects()
let postgres: Memory
let sqlite: Memory
const clock = new ManualClock()
beforeAll(async () => {
  postgres = await subjects.open({ learn: false, clock })
  sqlite = await openMemory(':memory:', { learn: false, clock })
})
afterAll(async () => {
  await postgres?.close()
  await sqlite?.close()
  await subjects[Symbol.asyncDispose]()
})

interface Append {
  readonly session: number
  readonly role: Role
  readonly text: string
  /** From few, so that ids come again: with the same content, and with other. */
  readonly id: number
  readonly operation: number | undefined
  readonly after: number | undefined
  readonly call: 'call' | 'result' | undefined
  readonly strict: boolean
}

type Command =
  | { readonly do: 'append'; readonly appends: readonly Append[] }
  | { readonly do: 'revise' | 'remove' | 'get'; readonly session: number; readonly id: number; readonly text: string }
  | { readonly do: 'clear'; readonly session: number; readonly keepSystem: boolean }
  | { readonly do: 'fork'; readonly session: number; readonly into: number; readonly at: number | undefined }
  | { readonly do: 'compact' | 'undo' | 'window' | 'stats' | 'sessions'; readonly session: number }
  | {
      readonly do: 'read'
      readonly session: number
      readonly limit: number
      readonly role: Role
      readonly text: string
    }
  | { readonly do: 'past'; readonly session: number; readonly version: number }

const session = fc.nat({ max: 5 })
const id = fc.nat({ max: 30 })
const role = fc.constantFrom<Role>('system', 'user', 'assistant')
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('order 7731', 'late again', 'prefers email') },
  { weight: 1, arbitrary: adversarialString },
)
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { freq: 4, nil: undefined })

const append: fc.Arbitrary<Append> = fc.record({
  session,
  role,
  text,
  id,
  operation: rarely(fc.nat({ max: 10 })),
  after: rarely(fc.nat({ max: 20 })),
  call: rarely(fc.constantFrom('call' as const, 'result' as const)),
  strict: fc.boolean(),
})
const of = <Name extends Command['do']>(name: Name, ...more: readonly Name[]): fc.Arbitrary<Name> =>
  fc.constantFrom(name, ...more)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: of('append'), appends: fc.array(append, { minLength: 1, maxLength: 8 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: of('revise', 'remove', 'get'), session, id, text }) },
  { weight: 1, arbitrary: fc.record({ do: of('clear'), session, keepSystem: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: of('fork'), session, into: session, at: rarely(fc.nat({ max: 12 })) }) },
  { weight: 3, arbitrary: fc.record({ do: of('compact', 'undo', 'window', 'stats', 'sessions'), session }) },
  { weight: 3, arbitrary: fc.record({ do: of('read'), session, limit: fc.integer({ min: 1, max: 9 }), role, text }) },
  { weight: 1, arbitrary: fc.record({ do: of('past'), session, version: fc.nat({ max: 30 }) }) },
)

/**
 * The same salts in both. A fork begins with a link that rests on them and gives its folds their names, and a name costs as many
 * tokens as its characters do: two stores with salts of their own differ in what a summary costs, and then in what they fold.
 */
vi.mock(import('node:crypto'), async (original) => ({
  ...(await original()),
  randomFillSync: <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(0)
    return bytes
  },
}))

const COMMANDS_PER_LANE = 40
/** Scopes that go side by side, so that what they write shares commits. */
const LANES = 8
const RUNS = times({ daily: 4, nightly: 64 })
const rounds = Array.from({ length: times({ daily: 1, nightly: 25 }) }, (_, round) => round)

it.each(rounds)('[pg-2] [pg-19] both stores answer random commands alike, refusals too (%i)', async (round) => {
  let serial = 0
  let commands = 0
  const lane = fc.array(command, { minLength: COMMANDS_PER_LANE, maxLength: COMMANDS_PER_LANE })
  await fc.assert(
    fc.asyncProperty(fc.array(lane, { minLength: LANES, maxLength: LANES }), async (lanes) => {
      const root = `lockstep-${round}-${serial++}`
      for (let index = 0; index < COMMANDS_PER_LANE; index++) {
        clock.time += 1_000
        await Promise.all(
          lanes.flatMap(async (steps, number) => {
            const step = steps[index]
            if (step === undefined) return
            const scope = `${root}/${number}`
            const [expected, found] = await Promise.all([play(sqlite, scope, step), play(postgres, scope, step)])
            expect(found).toEqual(expected)
            commands += step.do === 'append' ? step.appends.length : 1
          }),
        )
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  for (const memory of [sqlite, postgres]) expect(await memory.verify()).toMatchObject({ ok: true })
  console.log(`lockstep: ${commands} commands, 0 differences`)
})

/** What a command comes to, as text: ids that were made up and keys of a store differ, everything else must not. */
async function play(memory: Memory, scope: string, step: Command): Promise<string> {
  const calls =
    step.do === 'append'
      ? step.appends.map((one) => () => appendTo(memory, scope, one))
      : [() => run(memory, scope, step)]
  const outcomes = await Promise.allSettled(calls.map((call) => call()))
  return JSON.stringify(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : told(outcome.reason))),
  ).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
}

function told(error: unknown): unknown {
  if (!MemoryError.is(error)) throw error
  return { code: error.code, message: error.message, details: error.details }
}

async function appendTo(memory: Memory, scope: string, one: Append): Promise<unknown> {
  const { operation, after, strict } = one
  const stored = await memory
    .scope(scope)
    .session(`s${one.session}`)
    .append(messageOf(one), {
      ...(operation === undefined ? {} : { operationId: `operation ${operation}` }),
      ...(after === undefined ? {} : { after }),
      ...(strict ? { strict } : {}),
    })
  return { stored, warnings: stored.warnings }
}

function messageOf({ role: speaker, text: content, id: number, call }: Append): NewMessage {
  const callId = `call ${number % 4}`
  if (call === 'call')
    return {
      role: 'assistant',
      id: `call-${number}`,
      parts: [{ type: 'tool-call', id: callId, name: 't', arguments: '{}' }],
    }
  if (call === 'result')
    return {
      role: 'tool',
      id: `result-${number}`,
      parts: [{ type: 'tool-result', callId, output: content }],
    }
  // Without an id now and then: then it is stored again.
  return number > 20 ? { role: speaker, content } : { role: speaker, content, id: `message-${number}` }
}

async function run(memory: Memory, scope: string, step: Exclude<Command, { readonly do: 'append' }>): Promise<unknown> {
  const owner = memory.scope(scope)
  const chat = owner.session(`s${step.session}`)
  switch (step.do) {
    case 'revise':
      return chat.revise(`message-${step.id}`, { content: step.text })
    case 'remove':
      return chat.remove(`message-${step.id}`)
    case 'get':
      return chat.get(`message-${step.id}`)
    case 'clear':
      return chat.clear({ keepSystem: step.keepSystem })
    case 'fork':
      return (await chat.fork(`s${step.into}`, step.at === undefined ? {} : { at: step.at })).id
    case 'compact':
      return chat.compact({ force: true })
    case 'undo':
      return chat.undo()
    case 'window':
      return chat.window()
    case 'stats':
      return chat.stats()
    case 'sessions':
      return (await owner.sessions({ limit: 4 })).sessions.map(({ id: name, messages, updatedAt }) => [
        name,
        messages,
        updatedAt,
      ])
    case 'read':
      return [
        await chat.recent(step.limit),
        await chat.byRole(step.role, step.limit),
        await chat.search(step.text, { limit: step.limit }),
        await chat.history({ limit: step.limit, before: step.limit * 2 }),
        await chat.count(),
      ]
    case 'past':
      return [
        await chat.history({ asOf: { version: step.version } }),
        await chat.count({ asOf: { version: step.version } }),
      ]
  }
}
