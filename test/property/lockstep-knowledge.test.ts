import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import type { Fact } from '../../src/domain/fact.ts'
import type { Channel } from '../../src/domain/trust.ts'
import type { Memory } from '../../src/api/memory.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { ManualClock } from '../contract/subject.ts'
import { Subjects } from '../postgres/database.ts'
import { times } from '../tier.ts'
import { adversarialString } from './strings.ts'

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

const scopes = ['acme', 'acme/ada', 'acme/ada/helper', 'acme/bob'] as const
const states = ['current', 'closed', 'upcoming', 'quarantined', 'disputed', 'retracted'] as const
const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'Ada',
      'Bob',
      'tea',
      'Zürich',
      'émile',
      '咖啡馆',
      'ERR-7731',
      'Why?',
      'because',
      'Z',
      '_',
    ),
  },
  { weight: 1, arbitrary: adversarialString.map((text) => text.slice(0, 40)) },
)
const text = fc.array(word, { minLength: 1, maxLength: 12, size: 'max' }).map((words) => words.join(' '))
const predicate = fc.constantFrom('likes', 'knows', 'favourite_city', 'favourite_food')

/** A command, and what it answers in words that both memories share. */
type Command = (world: World) => Promise<unknown>

interface World {
  readonly memory: Memory
  readonly clock: ManualClock
  readonly scope: Scope
}

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        subject: word,
        predicate,
        object: word,
        year: fc.option(fc.integer({ min: 1990, max: 2040 }), { nil: undefined }),
        channel: fc.constantFrom<Channel>('operator', 'user', 'agent', 'tool'),
        source: fc.option(fc.nat(20), { nil: undefined }),
      })
      .map(
        (one): Command =>
          async ({ scope }) =>
            scope.remember(
              {
                subject: one.subject,
                predicate: one.predicate,
                object: one.predicate === 'knows' ? { entity: one.object } : one.object,
                ...(one.year === undefined ? {} : { validFrom: Date.UTC(one.year, 0) }),
                ...(one.source === undefined ? {} : { sources: [await messageAt(scope, one.source)] }),
              },
              { channel: one.channel },
            ),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        does: fc.constantFrom('retract', 'restore', 'endorse', 'forget', 'history', 'roll back'),
        pick: fc.nat(20),
      })
      .map(({ does, pick }): Command => async ({ scope }) => {
        if (does === 'roll back') return scope.rollBack(await messageAt(scope, pick))
        const all = await everything(scope)
        const id = all[pick % Math.max(1, all.length)]?.id ?? 'none'
        if (does === 'retract') return scope.retract(id, 'why not')
        if (does === 'restore') return scope.restore(id)
        if (does === 'endorse') return scope.endorse(id)
        return does === 'forget' ? scope.forget({ fact: id }) : scope.factHistory(id)
      }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ does: fc.constantFrom('merge', 'apply', 'revert', 'consolidate', 'forget'), a: word, b: word })
      .map(({ does, a, b }): Command => async ({ scope }) => {
        if (does === 'merge') return scope.propose({ merge: [a, b] })
        if (does === 'consolidate') return scope.consolidate()
        if (does === 'forget') return scope.forget({ subject: a })
        const id = (await scope.proposals()).at(-1)?.id ?? 'none'
        return does === 'apply' ? scope.apply(id) : scope.revert(id)
      }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        session: fc.constantFrom('s', 't', 'u'),
        texts: fc.array(text, { minLength: 1, maxLength: 8, size: 'max' }),
        role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      })
      .map(
        ({ session, texts, role }): Command =>
          async ({ scope }) =>
            (await scope.session(session).append(texts.map((content) => ({ role, content })))).map(({ seq }) => seq),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(10).map(
      (pick): Command =>
        async ({ scope }) =>
          scope.session('s').remove(await messageAt(scope, pick)),
    ),
  },
  {
    weight: 4,
    arbitrary: text.map(
      (query): Command =>
        ({ scope }) =>
          scope.recall(query, { limit: 20, explain: true }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(word, word).map(([a, b]): Command => async ({ scope }) => [
      await scope.facts({ subject: a, limit: 50 }),
      await scope.graph({ around: [a, b], depth: 2 }),
      await scope.path(a, b),
      await scope.entities({ limit: 50 }),
      await scope.predicates(),
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 1_000, 400 * 86_400_000).map(
      (ms): Command =>
        async ({ clock }) =>
          (clock.time += ms),
    ),
  },
)

async function everything(scope: Scope): Promise<readonly Fact[]> {
  return scope.facts({ state: [...states], limit: 1_000 })
}

async function messageAt(scope: Scope, pick: number): Promise<string> {
  const messages = await scope.session('s').history()
  return messages[pick % Math.max(1, messages.length)]?.id ?? 'none'
}

/** Ids are made by chance: each is called by the order in which it was first seen. */
class Shared {
  readonly #names = new Map<string, string>()

  of(value: unknown): string {
    return JSON.stringify(value ?? null).replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => {
        const name = this.#names.get(id) ?? `id-${this.#names.size + 1}`
        this.#names.set(id, name)
        return name
      },
    )
  }
}

/** What it answers, or the error it ends with. */
async function outcome(shared: Shared, command: Command, world: World): Promise<string> {
  try {
    return shared.of(await command(world))
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    return shared.of([error.code, error.message, error.details])
  }
}

it('[pg-2] [pg-3] facts, graph, proposals and recall answer alike on both databases, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('acme/ada', ...scopes), commands), {
        minLength: 30,
        maxLength: 60,
        size: 'max',
      }),
      async (steps) => {
        const clocks = [new ManualClock(Date.UTC(2026, 0, 1)), new ManualClock(Date.UTC(2026, 0, 1))] as const
        await using file = await openMemory(':memory:', { clock: clocks[0], learn: false })
        await using server = await subjects.open({ clock: clocks[1], learn: false })
        // What is indexed before it is removed is listed as removed: the background must not decide that by its speed.
        for (const memory of [file, server])
          Object.assign(LocalMemory.partsOf(memory).posting, { soon: () => undefined })
        const words = [new Shared(), new Shared()] as const
        for (const [path, command] of steps) {
          const here = await outcome(words[0], command, { memory: file, clock: clocks[0], scope: file.scope(path) })
          const there = await outcome(words[1], command, {
            memory: server,
            clock: clocks[1],
            scope: server.scope(path),
          })
          expect(there).toBe(here)
        }
        for (const path of scopes)
          expect(words[1].of(await everything(server.scope(path)))).toBe(
            words[0].of(await everything(file.scope(path))),
          )
      },
    ),
    { numRuns: times({ daily: 8, nightly: 5_000 }) },
  )
})
