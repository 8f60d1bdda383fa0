// Runs in a project of its own, beside the real package: compares our services with the host's own ones.
import { deepStrictEqual, ok, rejects } from 'node:assert/strict'
import { BaseLlm, InMemoryMemoryService, InMemorySessionService, LlmAgent, Runner, createEvent } from '@google/adk'
import { DaybookMemoryService, DaybookSessionService } from 'daybook/adk'
import fc from 'fast-check'
import { close, memory, runs } from './opened.mjs'

const compared = { sequences: 0, calls: 0 }
const appName = fc.constantFrom('shop', 'a/b', '__proto__')
const userId = fc.constantFrom('ada', 'bob', '..')
const sessionId = fc.constantFrom('s1', 's2', 'ü 3')
const key = fc.record({ appName, userId, sessionId })
const value = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 5 }),
  fc.constant(null),
  fc.constant({ deep: [1, { '': true }] }),
)
const state = fc.dictionary(fc.constantFrom('x', 'y', 'app:theme', 'user:name', 'temp:draft', '__proto__'), value, {
  maxKeys: 3,
})
const text = fc.string({ maxLength: 12 })
const content = fc.oneof(
  text.map((said) => ({ role: 'user', parts: [{ text: said }] })),
  text.map((said) => ({ role: 'model', parts: [{ text: 'hm', thought: true }, { text: said }] })),
  fc
    .nat(3)
    .map((id) => ({ role: 'model', parts: [{ functionCall: { id: `c${id}`, name: 'look', args: { at: 1 } } }] })),
  fc.nat(3).map((id) => ({
    role: 'user',
    parts: [{ functionResponse: { id: `c${id}`, name: 'look', response: { found: [id] } } }],
  })),
  fc.constant({ role: 'user', parts: [{ neverSeen: { a: 1 } }] }),
  fc.constant({ role: 'user', parts: [] }),
  fc.constant(undefined),
)
const event = fc.record({
  number: fc.nat(6),
  said: content,
  stateDelta: state,
  author: fc.constantFrom('user', 'helper'),
  timestamp: fc.integer({ min: 1, max: 60 }).map((minute) => Date.UTC(2026, 0, 1, 0, minute)),
})
const call = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create'), key, state }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('append'), key, event }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('get'),
      key,
      config: fc.record(
        { numRecentEvents: fc.nat(3), afterTimestamp: fc.nat(60).map((minute) => Date.UTC(2026, 0, 1, 0, minute)) },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('list'),
      key,
      everybody: fc.boolean(),
      order: fc.constantFrom('asc', 'desc'),
      paging: fc.record(
        { limit: fc.nat(3), page: fc.integer({ min: 1, max: 3 }), offset: fc.nat(2) },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), key }) },
)
const plain = (answer) => (answer === undefined ? undefined : JSON.parse(JSON.stringify(answer)))
/** Without the time of creation, which is that of the clock. */
const timeless = (session) => {
  const { lastUpdateTime, ...rest } = plain(session) ?? {}
  return { ...rest, updated: lastUpdateTime < Date.UTC(2026, 1, 1) ? lastUpdateTime : 'now' }
}

let serial = 0
await fc.assert(
  fc.asyncProperty(fc.array(call, { minLength: 4, maxLength: 20 }), async (steps) => {
    const below = `hosts-adk-${++serial}`
    const [theirs, ours] = [new InMemorySessionService(), new DaybookSessionService(memory, { below })]
    for (const [at, step] of steps.entries()) {
      const before = await theirs.getSession(step.key)
      if (step.do === 'create') {
        // Theirs replaces a session that exists, with all its events.
        if (before !== undefined)
          await rejects(ours.createSession({ ...step.key, state: step.state }), { code: 'log/exists' })
        else {
          const made = await Promise.all(
            [theirs, ours].map((one) => one.createSession({ ...step.key, state: step.state })),
          )
          deepStrictEqual(timeless(made[1]), timeless(made[0]))
        }
      } else if (step.do === 'append') {
        const { number, said, stateDelta, author, timestamp } = step.event
        // Two events are never the same: the step is in it.
        const make = () =>
          createEvent({
            id: `e${number}`,
            invocationId: `i${at}`,
            author,
            timestamp,
            ...(said && { content: structuredClone(said) }),
            actions: { stateDelta: structuredClone(stateDelta) },
          })
        if (before === undefined) {
          const session = { id: step.key.sessionId, ...step.key, state: {}, events: [], lastUpdateTime: 0 }
          await rejects(ours.appendEvent({ session, event: make() }), { code: 'log/not-found' })
        } else {
          const sessions = [before, await ours.getSession(step.key)]
          const returned = []
          for (const [index, one] of [theirs, ours].entries())
            returned.push(await one.appendEvent({ session: sessions[index], event: make() }))
          deepStrictEqual(plain(returned[1]), plain(returned[0]))
          deepStrictEqual(timeless(sessions[1]), timeless(sessions[0]))
          // Again, as after a lost reply: nothing changes.
          await ours.appendEvent({ session: structuredClone(plain(sessions[1])), event: make() })
        }
      } else if (step.do === 'get') {
        const got = await Promise.all([theirs, ours].map((one) => one.getSession({ ...step.key, config: step.config })))
        deepStrictEqual(got[0] && timeless(got[1]), got[0] && timeless(got[0]))
        deepStrictEqual(got[1] === undefined, got[0] === undefined)
      } else if (step.do === 'list') {
        const request = {
          appName: step.key.appName,
          ...(step.everybody ? {} : { userId: step.key.userId }),
          order: step.order,
        }
        const all = await Promise.all([theirs, ours].map((one) => one.listSessions(request)))
        const order = (one) => JSON.stringify([one.updated, one.userId, one.id])
        const [a, b] = all.map(({ sessions, ...rest }) => [rest, sessions.map(timeless).map(order).toSorted()])
        deepStrictEqual(b, a)
        const pages = await Promise.all([theirs, ours].map((one) => one.listSessions({ ...request, ...step.paging })))
        deepStrictEqual(
          pages.map(({ sessions, ...rest }) => [sessions.length, rest])[1],
          pages.map(({ sessions, ...rest }) => [sessions.length, rest])[0],
        )
      } else {
        for (const one of [theirs, ours]) await one.deleteSession(step.key)
      }
      const now = await Promise.all([theirs, ours].map((one) => one.getSession(step.key)))
      deepStrictEqual(now[1] && timeless(now[1]), now[0] && timeless(now[0]), step.do)
      compared.calls += 1
    }
    compared.sequences += 1
  }),
  { numRuns: runs },
)

// Memory: what a user said is found by its words, in all sessions of that user and of nobody else.
const words = ['lisbon', 'parcel', 'violin', 'harbour', 'tomato', 'glacier']
const sentence = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 })
await fc.assert(
  fc.asyncProperty(
    fc.array(fc.record({ userId: fc.constantFrom('ada', 'bob'), sessionId, said: sentence }), {
      minLength: 1,
      maxLength: 6,
    }),
    async (all) => {
      const below = `hosts-adk-memory-${++serial}`
      const [theirs, ours] = [new InMemoryMemoryService(), new DaybookMemoryService(memory, { below })]
      const sessions = new Map()
      for (const [at, { userId: user, sessionId: id, said }] of all.entries()) {
        const session = sessions.get(`${user}/${id}`) ?? {
          id,
          appName: 'shop',
          userId: user,
          state: {},
          events: [],
          lastUpdateTime: 0,
        }
        sessions.set(`${user}/${id}`, session)
        const parts = [{ text: `Number ${at}: ${said.join(' and ')}` }]
        session.events.push(
          createEvent({ author: 'user', content: { role: 'user', parts }, timestamp: Date.UTC(2026, 0, 1, 0, at) }),
        )
        for (const one of [theirs, ours]) await one.addSessionToMemory(session)
      }
      for (const user of ['ada', 'bob'])
        for (const query of words.slice(0, 3)) {
          const found = await Promise.all(
            [theirs, ours].map((one) => one.searchMemory({ appName: 'shop', userId: user, query })),
          )
          const [a, b] = found.map(({ memories }) => memories.map((entry) => JSON.stringify(plain(entry))).toSorted())
          deepStrictEqual(b, a)
          compared.calls += 1
        }
      compared.sequences += 1
    },
  ),
  { numRuns: Math.ceil(runs / 4) },
)

// A run of an agent: the same events with both services, and the second session finds what the first one said.
class Script extends BaseLlm {
  async *generateContentAsync(request) {
    yield { content: { role: 'model', parts: [{ text: `I see ${request.contents.length} messages.` }] } }
  }
}
const events = []
for (const sessionService of [
  new InMemorySessionService(),
  new DaybookSessionService(memory, { below: 'hosts-adk-run' }),
]) {
  const agent = new LlmAgent({ name: 'helper', model: new Script({ model: 'script' }) })
  const memoryService = new DaybookMemoryService(memory, { below: 'hosts-adk-run' })
  const runner = new Runner({ appName: 'shop', agent, sessionService, memoryService })
  await sessionService.createSession({ appName: 'shop', userId: 'ada', sessionId: 'one' })
  for (const said of ['My order is 7731.', 'Thanks.'])
    for await (const _ of runner.runAsync({
      userId: 'ada',
      sessionId: 'one',
      newMessage: { role: 'user', parts: [{ text: said }] },
    }));
  const session = await sessionService.getSession({ appName: 'shop', userId: 'ada', sessionId: 'one' })
  events.push(session.events.map(({ author, content: { role, parts } }) => ({ author, role, parts })))
}
deepStrictEqual(plain(events[1]), plain(events[0]))
deepStrictEqual(events[1].length, 4)
const found = await new DaybookMemoryService(memory, { below: 'hosts-adk-run' }).searchMemory({
  appName: 'shop',
  userId: 'ada',
  query: 'Which order was it?',
})
ok(found.memories.some(({ content: { parts } }) => parts[0].text.includes('7731')))
compared.sequences += 1

// Bad input: an event of 20 MB is refused by its size and nothing of it is stored; a response without its call is kept; two runs lose nothing.
const odd = new DaybookSessionService(memory, { below: 'hosts-adk-odd' })
const session = await odd.createSession({ appName: 'shop', userId: 'ada', sessionId: 's' })
const say = (id, parts) => createEvent({ id, author: 'user', content: { role: 'user', parts } })
await rejects(
  odd.appendEvent({ session, event: say('large', [{ text: 'x'.repeat(20_000_000) }]) }),
  ({ code }) => code.startsWith('input/') || code.startsWith('server/'),
)
deepStrictEqual(session.events, [])
await odd.appendEvent({ session, event: say('r', [{ functionResponse: { id: 'none', name: 'look', response: {} } }]) })
await Promise.all(
  [1, 2, 3].map((at) =>
    odd.appendEvent({ session: structuredClone(plain(session)), event: say(`e${at}`, [{ text: 'hi' }]) }),
  ),
)
deepStrictEqual((await odd.getSession({ appName: 'shop', userId: 'ada', sessionId: 's' })).events.length, 4)
deepStrictEqual(await odd.getSession({ appName: 'shop', userId: 'bob', sessionId: 's' }), undefined)

console.log(JSON.stringify(compared))
await close()
