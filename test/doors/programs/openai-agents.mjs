// Runs in a project of its own, beside the real packages: compares our session with the host's own one.
import { deepStrictEqual, rejects } from 'node:assert/strict'
import { Agent, MemorySession, run, tool } from '@openai/agents-core'
import * as core from '@openai/agents-core'
import { OpenAIResponsesCompactionSession } from '@openai/agents-openai'
import { ScriptedModel, assistantMessage, functionCall } from '@openai/agents-core/testing'
import { AgentSession } from 'daybook/openai-agents'
import fc from 'fast-check'
import { z } from 'zod'
import { close, memory, runs } from './opened.mjs'

core.setTracingDisabled?.(true)
const scope = memory.scope('hosts/agents')
const compared = { sequences: 0, calls: 0 }
let serial = 0
const ours = () => new AgentSession({ scope, session: `s${++serial}` })

const text = fc.string({ maxLength: 12 })
const item = fc.oneof(
  text.map((content) => ({ type: 'message', role: 'user', content })),
  text.map((content) => ({ role: 'user', content })),
  fc.record({ content: text, name: text }).map(({ content, name }) => ({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: content, providerData: { name } },
      { type: 'input_image', image: 'https://example.org/a.png' },
    ],
  })),
  text.map((said) => ({
    type: 'message',
    id: `msg_${said}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: said }],
  })),
  fc.nat(5).map((id) => ({
    type: 'function_call',
    id: `fc_${id}`,
    callId: `c${id}`,
    name: 'look',
    status: 'completed',
    arguments: '{"at": 1}',
  })),
  fc.record({ id: fc.nat(5), said: text }).map(({ id, said }) => ({
    type: 'function_call_result',
    callId: `c${id}`,
    name: 'look',
    status: 'completed',
    output: { type: 'text', text: said },
  })),
  text.map((said) => ({
    type: 'reasoning',
    id: 'rs_1',
    content: [{ type: 'input_text', text: said }],
    providerData: { encryptedContent: 'opaque' },
  })),
  text.map((encrypted_content) => ({ type: 'compaction', encrypted_content, id: 'cmp_1' })),
  fc.constant({ type: 'unknown', providerData: { anything: [1, null, { '': true }] } }),
)
const items = fc.array(item, { maxLength: 4 })
// An operation that changes nothing in a conversation that does not exist yet leaves no trace in the log.
const some = fc.array(item, { minLength: 1, maxLength: 4 })
const call = fc.oneof(
  { weight: 5, arbitrary: items.map((given) => ({ do: 'add', given })) },
  {
    weight: 3,
    arbitrary: fc.option(fc.integer({ min: -1, max: 6 }), { nil: undefined }).map((limit) => ({ do: 'get', limit })),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'pop' }) },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' }) },
  { weight: 2, arbitrary: fc.nat(5).map((id) => ({ do: 'mutate', id })) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('append'), id: fc.nat(3), given: some }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('suffix'), id: fc.nat(3), n: fc.nat(3), given: some, off: fc.boolean() }),
  },
)

async function outcome(work) {
  try {
    return { value: await work() }
  } catch {
    return { failed: true }
  }
}

async function play(session, step) {
  if (step.do === 'add') return session.addItems(step.given)
  if (step.do === 'get') return session.getItems(step.limit)
  if (step.do === 'pop') return session.popItem()
  if (step.do === 'clear') return session.clearSession()
  if (step.do === 'mutate') {
    const callId = `c${step.id}`
    const replacement = { type: 'function_call', callId, name: 'seen', status: 'completed', arguments: '{}' }
    return session.applyHistoryMutations({ mutations: [{ type: 'replace_function_call', callId, replacement }] })
  }
  const operationId = `o${step.id}`
  if (step.do === 'append')
    return session.applyHistoryTransaction({ operationId, transaction: { type: 'append_items', items: step.given } })
  const all = await session.getItems()
  const expectedSuffix = step.n === 0 ? [] : all.slice(-step.n)
  if (step.off) expectedSuffix.push({ type: 'message', role: 'user', content: 'never said' })
  const transaction = { type: 'replace_suffix', expectedSuffix, replacement: step.given }
  await session.applyHistoryTransaction({ operationId, transaction })
  // Again, as after a lost answer: nothing changes.
  await session.applyHistoryTransaction({ operationId, transaction })
  return undefined
}

await fc.assert(
  fc.asyncProperty(fc.array(call, { minLength: 3, maxLength: 20 }), async (steps) => {
    const theirs = new MemorySession()
    const own = ours()
    for (const step of steps) {
      deepStrictEqual(await outcome(() => play(own, step)), await outcome(() => play(theirs, step)), step.do)
      deepStrictEqual(await own.getItems(), await theirs.getItems(), step.do)
      compared.calls += 1
    }
    compared.sequences += 1
  }),
  { numRuns: runs },
)

// Runs of an agent, streamed or not, with a tool and an approval: the same items are in both sessions.
const look = tool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.number() }),
  needsApproval: ({ context }) => context?.careful === true,
  execute: async ({ at }) => `found ${at}`,
})
for (const stream of [false, true])
  for (const careful of [false, true]) {
    const sessions = [new MemorySession(), ours()]
    for (const session of sessions) {
      const model = new ScriptedModel([
        [functionCall('look', { at: 1 }, { callId: 'call-1' })],
        [assistantMessage('Found it.')],
        [assistantMessage('You are welcome.')],
      ])
      const agent = new Agent({
        name: 'helper',
        model,
        tools: [careful ? { ...look, needsApproval: async () => true } : look],
      })
      let result = await run(agent, 'Look!', { session, stream })
      if (stream) await result.completed
      while (result.interruptions?.length > 0) {
        for (const one of result.interruptions) result.state.approve(one)
        result = await run(agent, result.state, { session, stream })
        if (stream) await result.completed
      }
      const thanks = await run(agent, 'Thanks.', { session, stream })
      if (stream) await thanks.completed
    }
    const [theirs, own] = await Promise.all(sessions.map((session) => session.getItems()))
    const plain = (all) => JSON.parse(JSON.stringify(all).replaceAll(/"id":"[^"]*",?/g, ''))
    deepStrictEqual(plain(own), plain(theirs))
    if (own.length < 5) throw new Error(`only ${own.length} items`)
    compared.sequences += 1
  }

// Below OpenAI's own compaction session: it clears the history and writes it again.
const compacted = []
for (const underlyingSession of [new MemorySession(), ours()]) {
  const output = [{ type: 'compaction', id: 'cmp', encrypted_content: 'opaque' }]
  const client = {
    responses: { compact: async () => ({ output, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }) },
  }
  const session = new OpenAIResponsesCompactionSession({
    client,
    underlyingSession,
    model: 'gpt-5',
    compactionMode: 'input',
  })
  for (let turn = 0; turn < 6; turn++)
    await session.addItems([
      { type: 'message', role: 'user', content: `question ${turn}` },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: `reply ${turn}` }],
      },
    ])
  await session.runCompaction({ force: true })
  await session.addItems([{ type: 'message', role: 'user', content: 'next' }])
  compacted.push(await underlyingSession.getItems())
}
deepStrictEqual(compacted[1], compacted[0])
compared.sequences += 1

// With a policy of ours: old items are shown by a summary, the log keeps them.
const folding = new AgentSession({ scope, session: `s${++serial}`, compact: { policy: 'rolling', budget: 100_000 } })
const long = Array.from({ length: 80 }, (_, turn) => ({ type: 'message', role: 'user', content: `question ${turn}` }))
await folding.addItems(long)
await folding.runCompaction()
const shown = await folding.getItems()
if (shown.length >= 80 || shown.at(-1)?.content !== 'question 79') throw new Error(`not compacted: ${shown.length}`)
deepStrictEqual((await folding.itemsAsOf({ version: 80 })).length, 80)

// What another program stored is shown to an agent, too.
const other = scope.session(`s${++serial}`)
await other.append([
  { role: 'user', content: 'Look!' },
  { role: 'assistant', content: 'Wait.', toolCalls: [{ id: 'c', name: 'look', arguments: {} }] },
  { role: 'tool', toolCallId: 'c', content: 'found' },
])
const reading = new AgentSession({ scope, session: other.id })
deepStrictEqual(
  (await reading.getItems()).map(({ type }) => type),
  ['message', 'message', 'function_call', 'function_call_result'],
)
deepStrictEqual((await reading.popItem()).type, 'function_call_result')
deepStrictEqual((await reading.popItem()).type, 'function_call')
deepStrictEqual((await reading.getItems()).length, 2)

// A run that fails stores nothing; as-of and fork read the past.
const chat = ours()
const broken = new Agent({
  name: 'helper',
  model: new ScriptedModel([{ type: 'responder', respond: () => Promise.reject(new Error('down')) }]),
})
await rejects(run(broken, 'Hello?', { session: chat }))
deepStrictEqual(await chat.getItems(), [])
await chat.addItems([{ type: 'message', role: 'user', content: 'one' }])
await chat.addItems([{ type: 'message', role: 'user', content: 'two' }])
const fork = await chat.fork(`f${++serial}`, { at: 1 })
deepStrictEqual((await fork.getItems()).map(({ content }) => content).at(-1), 'one')
deepStrictEqual((await chat.itemsAsOf({ version: 1 })).length, 1)

console.log(JSON.stringify(compared))
await close()
