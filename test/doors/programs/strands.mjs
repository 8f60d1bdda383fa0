// Runs in a project of its own, beside the real package: compares our stores with the host's own ones.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, FileStorage, Model, SessionManager } from '@strands-agents/sdk'
import { TestMemoryStore } from '@strands-agents/sdk/vended-memory-stores/test-memory-store'
import { DaybookMemoryStore, DaybookSnapshotStorage } from 'daybook/strands'
import fc from 'fast-check'
import { close, memory, runs } from './opened.mjs'

const compared = { sequences: 0, calls: 0 }
let serial = 0
const outcome = (work) =>
  work().then(
    (value) => ({ value: value ?? null }),
    () => ({ failed: true }),
  )

const uuid7 = (number) => `01890000-0000-7000-8000-00000000000${number}`
const location = fc.record({
  sessionId: fc.constantFrom('s1', 's2', 'Not allowed', '..'),
  scope: fc.constantFrom('agent', 'multiAgent', 'other'),
  scopeId: fc.constantFrom('helper', 'h-2'),
})
const snapshotId = fc.oneof(
  { weight: 9, arbitrary: fc.nat(5).map(uuid7) },
  { weight: 1, arbitrary: fc.constantFrom('../x', '') },
)
const snapshot = fc.record({
  scope: fc.constant('agent'),
  schemaVersion: fc.constant('1.0'),
  createdAt: fc.constant('2026-01-01T00:00:00.000Z'),
  data: fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  appData: fc.constant({}),
})
const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('saveSnapshot'),
      given: fc.record({ location, snapshotId, isLatest: fc.boolean(), snapshot }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('loadSnapshot'),
      given: fc.record({ location, snapshotId }, { requiredKeys: ['location'] }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('listSnapshotIds'),
      given: fc.record(
        {
          location,
          limit: fc.integer({ min: -1, max: 3 }),
          startAfter: fc.oneof(fc.nat(5).map(uuid7), fc.constant('no')),
        },
        { requiredKeys: ['location'] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deleteSession'),
      given: fc.record({ sessionId: fc.constantFrom('s1', 's2', 'Not allowed') }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('saveManifest'),
      given: fc.record({
        location,
        manifest: fc.record({ schemaVersion: fc.string({ maxLength: 3 }), updatedAt: fc.constant('then') }),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('loadManifest'), given: fc.record({ location }) }) },
)
await fc.assert(
  fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 25 }), async (steps) => {
    const folder = mkdtempSync(join(tmpdir(), 'strands-'))
    const [theirs, ours] = [
      new FileStorage(folder),
      new DaybookSnapshotStorage(memory.scope('hosts/strands'), { collection: `run-${++serial}` }),
    ]
    for (const { do: name, given } of steps) {
      const [a, b] = [await outcome(() => theirs[name](given)), await outcome(() => ours[name](given))]
      // A manifest that nobody saved has the time of the clock.
      for (const one of [a, b])
        if (name === 'loadManifest' && one.value?.updatedAt !== 'then') delete one.value?.updatedAt
      deepStrictEqual(JSON.parse(JSON.stringify(b)), JSON.parse(JSON.stringify(a)), `${name} ${JSON.stringify(given)}`)
      compared.calls += 1
    }
    rmSync(folder, { recursive: true })
    compared.sequences += 1
  }),
  { numRuns: runs },
)

// Notes: the same words once, found by their words.
const words = ['lisbon', 'parcel', 'violin', 'harbour', 'tomato', 'glacier']
const note = fc.record({
  at: fc.nat(9),
  said: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
})
await fc.assert(
  fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 6 }), async (notes) => {
    const scope = memory.scope(`hosts/strands-${++serial}`)
    const [theirs, ours] = [new TestMemoryStore({ name: 'notes', persist: false }), new DaybookMemoryStore(scope)]
    for (const { at, said } of notes) {
      const content = `Number ${at}: ${said.join(' and ')}`
      for (const one of [theirs, ours]) for (let times = 0; times < 2; times++) await one.add(content, { at })
    }
    for (const query of words.slice(0, 3)) {
      const found = await Promise.all([theirs, ours].map((one) => one.search(query, { maxSearchResults: 50 })))
      const [a, b] = found.map((entries) =>
        entries.map(({ content, metadata }) => `${content} ${metadata.at === undefined}`).toSorted(),
      )
      deepStrictEqual(b, a)
      compared.calls += 1
    }
    for (const one of [theirs, ours]) {
      deepStrictEqual(await one.search('  '), [])
      deepStrictEqual(await outcome(() => one.add(' ')), { failed: true })
      deepStrictEqual(await outcome(() => one.search('x', { maxSearchResults: 0 })), { failed: true })
    }
    deepStrictEqual(await scope.session('strands').count(), new Set(notes.map(({ at, said }) => `${at} ${said}`)).size)
    compared.sequences += 1
  }),
  { numRuns: Math.ceil(runs / 4) },
)

// An agent: its session comes back in another process, and its conversation is found by the next one.
class Script extends Model {
  updateConfig() {}
  getConfig() {
    return { modelId: 'script' }
  }
  async *stream(messages) {
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    yield { type: 'modelContentBlockStartEvent' }
    yield {
      type: 'modelContentBlockDeltaEvent',
      delta: { type: 'textDelta', text: `I see ${messages.length} messages.` },
    }
    yield { type: 'modelContentBlockStopEvent' }
    yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' }
  }
}
const scope = memory.scope('hosts/strands-agent')
const agent = () =>
  new Agent({
    model: new Script(),
    printer: false,
    sessionManager: new SessionManager({
      sessionId: 'support-42',
      storage: { snapshot: new DaybookSnapshotStorage(scope) },
    }),
    memoryManager: { stores: [new DaybookMemoryStore(scope)] },
  })
const first = agent()
await first.invoke('My order is 7731.')
const second = agent()
await second.invoke('Thanks.')
deepStrictEqual(second.messages.filter(({ role }) => role === 'user').length, 2)
compared.sequences += 1

// Messages of a conversation: each once, whatever is sent again.
const store = new DaybookMemoryStore(scope, { session: 'kept' })
const batch = first.messages.map((message) => JSON.parse(JSON.stringify(message)))
for (let times = 0; times < 2; times++)
  await store.addMessages(batch, { sequenceNumbers: batch.map((_, index) => index) })
const bare = [
  { role: 'user', content: [{ text: 'ok' }] },
  { role: 'user', content: [{ text: 'ok' }] },
]
for (let times = 0; times < 2; times++) await store.addMessages(bare, { sequenceNumbers: [7, 9] })
deepStrictEqual(await scope.session('kept').count(), batch.length + 2)
ok((await store.search('Which order was it?')).some(({ content }) => content.includes('7731')))

// A snapshot of 20 MB.
const large = {
  scope: 'agent',
  schemaVersion: '1.0',
  createdAt: 'then',
  data: { text: 'x'.repeat(20_000_000) },
  appData: {},
}
const place = { sessionId: 'large', scope: 'agent', scopeId: 'helper' }
const storage = new DaybookSnapshotStorage(scope)
await storage.saveSnapshot({ location: place, snapshotId: uuid7(1), isLatest: true, snapshot: large })
ok((await storage.loadSnapshot({ location: place })).data.text === large.data.text)

console.log(JSON.stringify(compared))
await close()
