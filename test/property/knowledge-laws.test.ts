import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import { type Fact, factStates } from '../../src/domain/fact.ts'
import type { Role } from '../../src/domain/message.ts'
import type { NewFact } from '../../src/domain/new-fact.ts'
import { type Channel, TRUST_OF_CHANNEL, TRUST_OF_ROLE } from '../../src/domain/trust.ts'
import { type Claim, replay } from '../../src/knowledge/timeline.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { ManualClock } from '../contract/subject.ts'
import { times } from '../tier.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-knowledge-'))
afterAll(() => rmSync(directory, { recursive: true }))

const name = fc.constantFrom('Ada', 'Bob', 'Cid', 'Dan')
const predicate = fc.constantFrom('likes', 'knows', 'favourite_city', 'favourite_food')
const channel = fc.constantFrom<Channel>('operator', 'user', 'agent', 'tool')
const pick = fc.nat({ max: 20 })
const year = fc.option(fc.integer({ min: 1990, max: 2040 }), { nil: undefined, freq: 2 })

type Step =
  | {
      readonly do: 'remember'
      readonly subject: string
      readonly predicate: string
      readonly object: string
      readonly channel: Channel
      readonly source: number | undefined
      readonly from: number | undefined
      readonly years: number | undefined
    }
  | { readonly do: 'retract' | 'restore' | 'endorse' | 'roll back' | 'apply' | 'revert'; readonly pick: number }
  | { readonly do: 'merge'; readonly a: string; readonly b: string }
  | { readonly do: 'wait'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('remember' as const),
      subject: name,
      predicate,
      object: name,
      channel,
      source: fc.option(pick, { nil: undefined }),
      from: year,
      years: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'retract' as const,
        'restore' as const,
        'endorse' as const,
        'roll back' as const,
        'apply' as const,
        'revert' as const,
      ),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), a: name, b: name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 400 * 86_400_000) }),
  },
)

/** Some steps are refused, as they should be; a refusal changes nothing. */
async function take(scope: Scope, clock: ManualClock, messages: readonly string[], one: Step): Promise<void> {
  const everything = async (): Promise<readonly Fact[]> =>
    scope.facts({ state: ['current', 'closed', 'upcoming', 'quarantined', 'disputed', 'retracted'], limit: 1_000 })
  const fact = async (at: number): Promise<string> => {
    const all = await everything()
    return all[at % Math.max(1, all.length)]?.id ?? 'none'
  }
  const proposal = async (at: number): Promise<string> => {
    const all = await scope.proposals()
    return all[at % Math.max(1, all.length)]?.id ?? 'none'
  }
  try {
    if (one.do === 'remember') await scope.remember(statement(one, messages), { channel: one.channel })
    else if (one.do === 'wait') clock.time += one.ms
    else if (one.do === 'retract') await scope.retract(await fact(one.pick), 'why not')
    else if (one.do === 'restore') await scope.restore(await fact(one.pick))
    else if (one.do === 'endorse') await scope.endorse(await fact(one.pick))
    else if (one.do === 'roll back') await scope.rollBack(messages[one.pick % messages.length] ?? '')
    else if (one.do === 'merge') await scope.propose({ merge: [one.a, one.b] })
    else if (one.do === 'apply') await scope.apply(await proposal(one.pick))
    else await scope.revert(await proposal(one.pick))
  } catch (error) {
    if (!MemoryError.is(error)) throw error
  }
}

function statement(one: Extract<Step, { do: 'remember' }>, messages: readonly string[]): NewFact {
  const { from, years, source } = one
  return {
    subject: one.subject,
    predicate: one.predicate,
    object: one.predicate === 'knows' ? { entity: one.object } : one.object,
    ...(from === undefined ? {} : { validFrom: Date.UTC(from, 0, 1) }),
    ...(years === undefined ? {} : { validTo: Date.UTC((from ?? 2000) + years, 0, 1) }),
    ...(source === undefined ? {} : { sources: [messages[source % messages.length] ?? ''] }),
  }
}

async function say(scope: Scope): Promise<readonly string[]> {
  const roles: readonly Role[] = ['system', 'user', 'assistant', 'user', 'tool']
  const stored = await scope
    .session('s')
    .append(roles.map((role) => (role === 'tool' ? { role, content: 'x', toolCallId: 'c' } : { role, content: 'x' })))
  return stored.map(({ id }) => id)
}

it('[know-5] [fact-3] as-of answers exactly what was answered then, by version and by time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1))
      await using memory = await openMemory(':memory:', { clock })
      const scope = memory.scope('acme/ada')
      const messages = await say(scope)
      const look = async (then: object): Promise<unknown> => [
        await scope.facts({ ...then, limit: 1_000 }),
        await scope.facts({
          ...then,
          limit: 1_000,
          state: ['closed', 'upcoming', 'quarantined', 'disputed', 'retracted'],
        }),
        await scope.graph({ ...then, around: ['Ada', 'Bob'], depth: 2 }),
        (await scope.path('Ada', 'Dan', then)).facts.length,
        await scope.entities({ limit: 100, ...then }),
      ]
      const byVersion = new Map<number, { answer: unknown; at: Date }>()
      const byTime = new Map<number, unknown>()
      for (const one of steps) {
        await take(scope, clock, messages, one)
        const answer = await look({})
        byVersion.set(await scope.knowledgeVersion(), { answer, at: new Date(clock.time) })
        byTime.set(clock.time, answer)
      }
      for (const [version, { answer, at }] of byVersion) {
        const [facts, others, graph, path, entities] = answer as readonly unknown[]
        const asOf = { version }
        expect(await scope.facts({ asOf, at, limit: 1_000 })).toEqual(facts)
        expect((await scope.path('Ada', 'Dan', { asOf, at })).facts.length).toBe(path)
        expect(await scope.graph({ asOf, at, around: ['Ada', 'Bob'], depth: 2 })).toEqual(graph)
        expect(await scope.entities({ limit: 100, asOf })).toEqual(entities)
        expect(
          await scope.facts({
            asOf,
            at,
            limit: 1_000,
            state: ['closed', 'upcoming', 'quarantined', 'disputed', 'retracted'],
          }),
        ).toEqual(others)
      }
      for (const [time, answer] of byTime) expect(await look({ asOf: new Date(time) })).toEqual(answer)
    }),
    { numRuns: times({ daily: 30, nightly: 5_000 }) },
  )
})

it('[know-5] [fact-4] each normal form is one row, and every telling one source', async () => {
  const spelling = fc.constantFrom('Tea', 'tea', ' TEA ', 'Ｔｅａ', 'green  tea', 'Green Tea', 'STRASSE', 'straße')
  const told = fc.record({
    subject: fc.constantFrom('Ada', 'ADA', ' ada'),
    predicate: fc.constantFrom('likes', 'Likes', 'hates'),
    object: spelling,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(told, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (calls) => {
      await using memory = await openMemory(':memory:')
      const scope = memory.scope('a')
      for (const call of calls) await scope.remember(call)
      const facts = await scope.facts({ limit: 1_000 })
      const forms = new Set(
        calls
          .flat()
          .map(
            (fact) =>
              `${fact.predicate.toLowerCase()} ${fact.object.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toUpperCase()}`,
          ),
      )
      expect(facts).toHaveLength(forms.size)
      expect(facts.reduce((sum, fact) => sum + fact.sourceCount, 0)).toBe(calls.flat().length)
    }),
  )
})

it('[know-5] learning from the same messages twice is learning once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1))
      await using memory = await openMemory(':memory:', { clock })
      const scope = memory.scope('a')
      const messages = await say(scope)
      const facts = steps.flatMap((one) =>
        one.do === 'remember' ? [statement({ ...one, source: one.source ?? 1 }, messages)] : [],
      )
      for (const fact of facts) {
        await scope.remember(fact)
        clock.time += 1_000
      }
      const everything = { state: [...factStates], limit: 1_000 }
      const once = await scope.facts(everything)
      const version = await scope.knowledgeVersion()
      for (const fact of facts) expect((await scope.remember(fact))[0].outcome).toBe('unchanged')
      expect(await scope.facts(everything)).toEqual(once)
      expect(await scope.knowledgeVersion()).toBe(version)
    }),
    { numRuns: times({ daily: 30, nightly: 5_000 }) },
  )
})

/** What holds of a scope's own facts whatever was done. */
async function checkScope(scope: Scope): Promise<void> {
  const all = (await scope.facts({ state: [...factStates], limit: 1_000 })).filter((one) => one.scope === scope.name)
  for (const fact of all) {
    const best = Math.max(-1, ...fact.sources.map(({ trust }) => trust))
    if (fact.sourceCount <= fact.sources.length) expect(fact.trust, fact.text).toBe(Math.max(0, best))
    if (fact.sourceCount === 0) expect(fact.state, fact.text).toBe('retracted')
  }
  const single = all.filter(({ predicate: one }) => one === 'favourite_city' || one === 'favourite_food')
  for (const slot of Map.groupBy(single, (fact) => `${fact.subject} ${fact.predicate}`).values()) {
    expect(slot.filter(({ state }) => state === 'current').length).toBeLessThan(2)
    // Ancestors may stand against what a deeper scope says; nothing is above the root.
    const root = !scope.name.includes('/')
    for (const weak of root ? slot.filter(({ state }) => state === 'disputed') : [])
      expect(
        slot.some(({ state, trust }) => !['disputed', 'retracted'].includes(state) && trust > weak.trust),
        `${weak.text} is disputed by nothing`,
      ).toBe(true)
  }
}

it('[know-5] [learn-5] [fact-6] whatever is done, trust is what the sources left give, and only the stronger disputes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'a/b', 'a/b/c'), step), { minLength: 1, maxLength: 40 }),
      async (steps) => {
        const clock = new ManualClock(Date.UTC(2026, 0, 1))
        await using memory = await openMemory(':memory:', { clock })
        const messages = await say(memory.scope('a'))
        for (const [path, one] of steps) {
          await take(memory.scope(path), clock, messages, one)
          for (const each of ['a', 'a/b', 'a/b/c']) await checkScope(memory.scope(each))
        }
        for (const message of messages) await memory.scope('a').rollBack(message)
        for (const each of ['a', 'a/b', 'a/b/c']) {
          await checkScope(memory.scope(each))
          const facts = await memory.scope(each).facts({ state: [...factStates], limit: 1_000 })
          expect(facts.flatMap(({ sources }) => sources).filter(({ type }) => type === 'message')).toEqual([])
        }
      },
    ),
    { numRuns: times({ daily: 30, nightly: 5_000 }) },
  )
})

it('[know-5] [learn-5] trust never rises in random derivation graphs', async () => {
  await using memory = await openMemory(':memory:')
  const graph = fc.record({
    roles: fc.array(fc.constantFrom<Role>('system', 'user', 'assistant', 'tool'), { minLength: 1, maxLength: 4 }),
    derived: fc.array(
      fc.record({
        object: fc.nat({ max: 5 }),
        channel: fc.option(channel, { nil: undefined }),
        sources: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  let graphs = 0
  await fc.assert(
    fc.asyncProperty(graph, async ({ roles, derived }) => {
      const scope = memory.scope(`g${++graphs}`)
      const stored = await scope
        .session('s')
        .append(
          roles.map((role) => (role === 'tool' ? { role, content: 'x', toolCallId: 'c' } : { role, content: 'x' })),
        )
      const trustOf = new Map<string, number>(stored.map(({ id, role }) => [id, TRUST_OF_ROLE[role]]))
      const best = new Map<string, number>()
      for (const { object, channel: through, sources } of derived) {
        const all = [...trustOf.keys()]
        const chosen = [...new Set(sources.map((source) => all[source % all.length] ?? ''))]
        const lowest = Math.min(
          3,
          ...chosen.map((id) => trustOf.get(id) ?? 0),
          ...(through === undefined ? [] : [TRUST_OF_CHANNEL[through]]),
        )
        const [fact] = await scope.remember(
          {
            subject: 's',
            predicate: 'p',
            object,
            sources: chosen.map((id) => (stored.some((message) => message.id === id) ? id : { fact: id })),
          },
          through === undefined ? {} : { channel: through },
        )
        // The same sources again, or the fact itself in a circle, teach nothing.
        const known = best.get(fact.id) ?? 0
        const expected = fact.outcome === 'unchanged' ? known : Math.max(known, lowest)
        expect(fact.trust).toBe(expected)
        best.set(fact.id, expected)
        trustOf.set(fact.id, expected)
        expect(fact.trust).toBeLessThanOrEqual(Math.max(...stored.map(({ role }) => TRUST_OF_ROLE[role])))
      }
    }),
    { numRuns: times({ daily: 400, nightly: 10_000 }) },
  )
})

it("[know-5] [fact-13] no scope ever sees what is not its own or its ancestors'", async () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'a b'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'))
  const write = fc.record({ path, subject: name, object: name, predicate })
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 25 }),
      fc.array(path, { maxLength: 5 }),
      async (writes, others) => {
        await using memory = await openMemory(':memory:')
        for (const { path: at, subject, object, predicate: relation } of writes)
          await memory.scope(at).remember({ subject, predicate: relation, object: { entity: object } })
        for (const at of new Set([...writes.map((one) => one.path), ...others])) {
          const scope = memory.scope(at)
          const mine = (other: string): boolean => other === at || at.startsWith(`${other}/`)
          const visible = new Set(writes.map((one) => one.path).filter(mine))
          const facts = await scope.facts({ limit: 1_000, includeClosed: true })
          expect(new Set(facts.map((fact) => fact.scope))).toEqual(visible)
          const around = await scope.graph({ around: ['Ada', 'Bob', 'Cid', 'Dan'], depth: 3, limit: 1_000 })
          for (const thing of [...around.facts, ...around.entities, ...(await scope.entities())])
            expect(visible).toContain(thing.scope)
        }
      },
    ),
  )
})

it('[know-5] [fact-12] writers that expect what they read never lose an update', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 2, max: 8 }),
      fc.nat(),
      async (writers, rounds, seed) => {
        const file = join(directory, `${seed}-${writers}-${rounds}.db`)
        const memories = await Promise.all(Array.from({ length: writers }, () => openMemory(file)))
        await memories[0]?.scope('a').predicate('status', { single: true })
        const increment = async (scope: Scope): Promise<void> => {
          for (;;) {
            const [current] = await scope.facts({ subject: 'counter', predicate: 'status' })
            try {
              await scope.remember({
                subject: 'counter',
                predicate: 'status',
                object: Number(current?.object ?? 0) + 1,
                expect: current?.revision ?? 0,
              })
              return
            } catch (error) {
              if (!MemoryError.is(error, 'knowledge/conflict')) throw error
            }
          }
        }
        await Promise.all(
          memories.map(async (memory) => {
            for (let round = 0; round < rounds; round++) await increment(memory.scope('a'))
          }),
        )
        const [last] = (await memories[0]?.scope('a').facts({ subject: 'counter' })) ?? []
        expect(last?.object).toBe(writers * rounds)
        await Promise.all(memories.map((memory) => memory.close()))
      },
    ),
    { numRuns: times({ daily: 3, nightly: 50 }) },
  )
})

const claim = fc.record({
  from: fc.option(fc.integer({ min: 0, max: 50 }), { nil: null, freq: 1 }),
  length: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null, freq: 1 }),
  trust: fc.integer({ min: 1, max: 3 }),
  gap: fc.integer({ min: 1, max: 5 }),
})

it('[fact-5] [fact-6] what is stored of a single value is what its rules give, claim by claim', async () => {
  const base = Date.UTC(2026, 0, 1)
  const channels = ['tool', 'agent', 'user', 'operator'] as const
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { minLength: 1, maxLength: 12 }), async (claims) => {
      const clock = new ManualClock(base)
      await using memory = await openMemory(':memory:', { clock })
      const scope = memory.scope('a')
      const told: Claim[] = []
      for (const [index, { from, length, trust, gap }] of claims.entries()) {
        clock.time += gap
        const start = from === null ? null : base + from
        const end = length === null ? null : (start ?? base) + length
        const [fact] = await scope.remember(
          {
            subject: 'Ada',
            predicate: 'favourite_city',
            object: index,
            ...(start === null ? {} : { validFrom: start }),
            ...(end === null ? {} : { validTo: end }),
          },
          { channel: channels[trust] ?? 'tool' },
        )
        told.push({ id: fact.id, from: start, to: end, trust, learnedAt: clock.time })
      }
      const { holdings, disputed } = replay(told)
      const stored = await scope.facts({ includeClosed: true, limit: 100 })
      expect(stored.map(({ id }) => id).toSorted()).toEqual(holdings.map(({ id }) => id).toSorted())
      expect((await scope.facts({ state: 'disputed' })).map(({ id }) => id).toSorted()).toEqual(
        [...disputed.keys()].toSorted(),
      )
      for (let time = base - 5; time < base + 90; time++) {
        const expected = holdings.filter(({ spans }) => spans.some((span) => span.from <= time && time < span.to))
        expect(expected.length).toBeLessThanOrEqual(1)
        expect((await scope.facts({ at: new Date(time) })).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }
    }),
  )
})
