// Runs in a project of its own, beside the real package: compares our store of transcripts with the host's own one.
import { deepStrictEqual, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  InMemorySessionStore,
  deleteSession,
  forkSession,
  getSessionMessages,
  importSessionToStore,
  listSessions,
  renameSession,
  tagSession,
} from '@anthropic-ai/claude-agent-sdk'
import { DaybookSessionStore } from 'daybook/claude-agent'
import fc from 'fast-check'
import { close, memory, runs } from './opened.mjs'

const compared = { sequences: 0, calls: 0 }
const text = fc.string({ maxLength: 12 })
const time = fc.integer({ min: 1, max: 9 }).map((hour) => `2026-01-01T0${hour}:00:00.000Z`)
const message = fc.oneof(
  text.map((content) => ({ type: 'user', message: { role: 'user', content } })),
  text.map((said) => ({
    type: 'assistant',
    message: { id: 'm', role: 'assistant', model: 'claude', content: [{ type: 'text', text: said }] },
  })),
  fc.nat(3).map((id) => ({
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'x' },
        { type: 'tool_use', id: `t${id}`, name: 'Read', input: { file_path: '/a' } },
      ],
    },
  })),
  fc.record({ id: fc.nat(3), said: text }).map(({ id, said }) => ({
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `t${id}`, content: said },
        { type: 'text', text: 'go on' },
      ],
    },
    toolUseResult: { stdout: said, lines: [1, null, { '': true }] },
  })),
  fc.constant({ type: 'system', subtype: 'compact_boundary', content: 'Compacted' }),
  fc.constant({ type: 'user', isMeta: true, message: { role: 'user', content: 'for itself' } }),
  fc.constant({ type: 'user', message: 'not a message' }),
  fc.constant({ type: 'user', message: { role: 'user', content: [{ type: 'never-seen', at: [1] }] } }),
)
const marker = fc.oneof(
  text.map((customTitle) => ({ type: 'custom-title', customTitle })),
  text.map((tag) => ({ type: 'tag', tag })),
  text.map((lastPrompt) => ({ type: 'last-prompt', lastPrompt })),
)
// A serial number makes a uuid; the same number again is a retry of that entry.
const entry = fc.oneof(
  { weight: 6, arbitrary: fc.record({ said: message, number: fc.nat(12), timestamp: time }) },
  { weight: 2, arbitrary: fc.record({ said: marker }) },
)
const key = fc.record(
  {
    projectKey: fc.constantFrom('shop', 'shop-2', 'a/b', '__proto__'),
    sessionId: fc.constantFrom('s1', 's2', 'ü 3'),
    subpath: fc.constantFrom('subagents/agent-1', 'x'),
  },
  { requiredKeys: ['projectKey', 'sessionId'] },
)
const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('append'), key, entries: fc.array(entry, { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('load'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('listSessions'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('listSessionSummaries'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('listSubkeys'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), key }) },
)
const sorted = (all, by) => all.toSorted((a, b) => (by(a) < by(b) ? -1 : 1))
const shown = {
  load: (entries) => entries,
  listSessions: (all) => all.map(({ sessionId }) => sessionId).toSorted(),
  listSessionSummaries: (all) =>
    sorted(all, ({ sessionId }) => sessionId).map(({ sessionId, data }) => [sessionId, data]),
  listSubkeys: (all) => all.toSorted(),
  delete: () => null,
}

let serial = 0
await fc.assert(
  fc.asyncProperty(fc.array(call, { minLength: 3, maxLength: 20 }), async (steps) => {
    const theirs = new InMemorySessionStore()
    const ours = new DaybookSessionStore(memory.scope(`hosts/claude-${++serial}`))
    // Theirs stores an entry again that is given again; what was deleted does not come back in ours.
    const seen = new Set()
    let deletions = 0
    for (const step of steps) {
      const { projectKey, sessionId, subpath } = step.key
      if (step.do === 'append') {
        const entries = step.entries.map(({ said, number, timestamp }) =>
          number === undefined ? said : { uuid: `u-${deletions}-${number}`, timestamp, ...said },
        )
        const names = entries.map(({ uuid }) =>
          uuid === undefined ? undefined : `${JSON.stringify(step.key)} ${uuid}`,
        )
        const isFresh = (name, index) => name === undefined || (!seen.has(name) && names.indexOf(name) === index)
        const fresh = entries.filter((_, index) => isFresh(names[index], index))
        // In a batch with a uuid, an entry without one that is given again is a retry, too.
        const again =
          entries.length > fresh.length || new Set(entries.map((one) => JSON.stringify(one))).size < entries.length
        if (again && names.includes(undefined)) continue
        for (const name of names) seen.add(name)
        await ours.append(step.key, structuredClone(entries))
        if (fresh.length > 0) await theirs.append(step.key, structuredClone(fresh))
      } else if (step.do.startsWith('listSession')) {
        deepStrictEqual(
          shown[step.do](await ours[step.do](projectKey)),
          shown[step.do](await theirs[step.do](projectKey)),
        )
      } else {
        if (step.do === 'delete') deletions += 1
        const asked = step.do === 'listSubkeys' ? { projectKey, sessionId } : step.key
        deepStrictEqual(
          shown[step.do](await ours[step.do](asked)),
          shown[step.do](await theirs[step.do](asked)),
          step.do,
        )
      }
      deepStrictEqual(await ours.load(step.key), await theirs.load(step.key), `${step.do} ${subpath}`)
      compared.calls += 1
    }
    compared.sequences += 1
  }),
  { numRuns: runs },
)

// The functions of the SDK, on a session that Claude Code left on disk.
process.env.CLAUDE_CONFIG_DIR = resolve(`config-${process.pid}`)
const dir = resolve('shop')
mkdirSync(dir, { recursive: true })
const sessionId = randomUUID()
const folder = join(process.env.CLAUDE_CONFIG_DIR, 'projects', dir.replaceAll(/[^a-zA-Z0-9]/g, '-'))
const record = (parentUuid, type, content, more = {}) => ({
  parentUuid,
  isSidechain: false,
  userType: 'external',
  cwd: dir,
  sessionId,
  version: '2.0.0',
  type,
  message: { role: type, content },
  uuid: randomUUID(),
  timestamp: '2026-01-01T00:00:00.000Z',
  ...more,
})
const asked = record(null, 'user', 'Where is my order 7731?')
const called = record(asked.uuid, 'assistant', [{ type: 'tool_use', id: 't1', name: 'Track', input: { order: 7731 } }])
const found = record(called.uuid, 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'in Lisbon' }])
const told = record(found.uuid, 'assistant', [{ type: 'text', text: 'Your parcel is in Lisbon.' }])
const side = record(null, 'user', 'Look it up.', { isSidechain: true, agentId: 'a1' })
mkdirSync(join(folder, sessionId, 'subagents'), { recursive: true })
const lines = (all) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
writeFileSync(join(folder, `${sessionId}.jsonl`), lines([asked, called, found, told]))
writeFileSync(join(folder, sessionId, 'subagents', 'agent-a1.jsonl'), lines([side]))

const scope = memory.scope('hosts/claude-sdk')
const stores = [new InMemorySessionStore(), new DaybookSessionStore(scope)]
const answers = []
for (const sessionStore of stores) {
  const given = { dir, sessionStore }
  await importSessionToStore(sessionId, sessionStore, { dir })
  // A second import, as after an interruption.
  if (sessionStore === stores[1]) await importSessionToStore(sessionId, sessionStore, { dir, batchSize: 2 })
  const before = await getSessionMessages(sessionId, given)
  await renameSession(sessionId, 'The order', given)
  await tagSession(sessionId, 'late', given)
  const fork = await forkSession(sessionId, { ...given, upToMessageId: found.uuid, title: 'What if' })
  const forked = await getSessionMessages(fork.sessionId, given)
  const listed = await listSessions(given)
  const subagents = await sessionStore.listSubkeys({ projectKey: folder.split('/').at(-1), sessionId })
  await deleteSession(sessionId, given)
  const left = await listSessions(given)
  const plain = (all) => JSON.parse(JSON.stringify(all).replaceAll(fork.sessionId, 'fork'))
  const figures = (all) =>
    sorted(all, (one) => one.sessionId === sessionId).map(({ lastModified: _lastModified, ...rest }) => rest)
  answers.push(
    plain({
      before,
      forked: forked.map(({ uuid: _uuid, timestamp: _timestamp, ...rest }) => rest),
      listed: figures(listed),
      subagents,
      left: figures(left),
    }),
  )
}
deepStrictEqual(answers[1], answers[0])
deepStrictEqual(answers[1].before.length, 4)
deepStrictEqual(answers[1].subagents, ['subagents/agent-a1'])
deepStrictEqual(answers[1].listed.length, 2)
compared.sequences += 1

// What was said is recalled, and the second import stored nothing twice.
const { items } = await scope.recall('Where is order 7731?', { fresh: true })
ok(items.some(({ text: said }) => said.includes('7731')))
const again = new DaybookSessionStore(memory.scope('hosts/claude-again'))
for (let times = 0; times < 3; times++) await importSessionToStore(sessionId, again, { dir })
const sessions = (await memory.scope('hosts/claude-again').sessions()).sessions
deepStrictEqual(sessions.map(({ messages }) => messages).toSorted(), [1, 4])
await rejects(async () => again.append({ projectKey: 'p', sessionId: 's', subpath: '' }, [asked]), {
  code: 'input/invalid',
})

// Bad input: an entry of 20 MB is refused by its size and nothing of it is stored; another scope has nothing; two runs lose nothing.
const place = { projectKey: 'p', sessionId: 's' }
const said = (uuid, content) => ({ type: 'user', uuid, message: { role: 'user', content } })
await rejects(
  again.append(place, [said('large', 'x'.repeat(20_000_000))]),
  ({ code }) => code.startsWith('input/') || code.startsWith('server/'),
)
deepStrictEqual(await again.load(place), null)
await Promise.all(
  [1, 2, 3].flatMap((at) =>
    [again, new DaybookSessionStore(memory.scope('hosts/claude-again'))].map((one, run) =>
      one.append(place, [said(`${run}-${at}`, 'hi')]),
    ),
  ),
)
deepStrictEqual((await again.load(place)).length, 6)
deepStrictEqual(await new DaybookSessionStore(memory.scope('hosts/claude-other')).load(place), null)

console.log(JSON.stringify(compared))
await close()
