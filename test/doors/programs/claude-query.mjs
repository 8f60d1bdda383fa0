// Runs in a project of its own, beside the real package: Claude Code itself, through `query()`, with our store of transcripts and with
// the host's own one. Each question is asked in another home, so that what was said before can only come from the store.
import { deepStrictEqual, ok } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import {
  InMemorySessionStore,
  createSdkMcpServer,
  getSessionMessages,
  query,
  tool,
} from '@anthropic-ai/claude-agent-sdk'
import { DaybookSessionStore } from 'daybook/claude-agent'
import { claudeEnv, requests } from './messages-api.mjs'
import { close, memory, runs } from './opened.mjs'

const compared = { sequences: 0, calls: 0 }
const scope = memory.scope('hosts/claude-query')
const asked = ['My order is 7731.', 'Which order is mine?']

async function converse(sessionStore, key) {
  const told = []
  let resume
  for (const prompt of asked) {
    const env = claudeEnv(key)
    const find = tool('find_order', 'Find the order of the user', {}, async () => ({
      content: [{ type: 'text', text: 'Order 7731 is on its way.' }],
    }))
    const options = {
      sessionStore,
      env,
      tools: [],
      settingSources: [],
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [find] }) },
      allowedTools: ['mcp__shop__find_order'],
      ...(resume === undefined ? {} : { resume }),
    }
    for await (const message of query({ prompt, options })) {
      if (message.type !== 'result') continue
      resume = message.session_id
      told.push([message.subtype, message.result])
    }
    rmSync(env.HOME, { recursive: true, force: true })
    compared.calls += 1
  }
  const stored = await getSessionMessages(resume, { sessionStore })
  return { told, stored: stored.map(({ type, message }) => [type, message.role, withoutIds(message.content)]) }
}

/** What the API was sent under a key, without what differs between two runs. */
function sentUnder(key) {
  const sent = requests.filter((request) => request.key === key)
  return sent.map(({ messages }) =>
    messages.filter(({ role }) => role !== 'system').map(({ role, content }) => [role, withoutIds(content)]),
  )
}

function withoutIds(value) {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/toolu_\d+/g, 'toolu')
      .replaceAll(/,?"cache_control":\{[^}]*\}/g, ''),
  )
}

for (let run = 0; run < runs; run++) {
  const [theirs, ours] = await Promise.all([
    converse(new InMemorySessionStore(), `theirs-${run}`),
    converse(new DaybookSessionStore(scope), `ours-${run}`),
  ])
  deepStrictEqual(ours, theirs)
  deepStrictEqual(sentUnder(`ours-${run}`), sentUnder(`theirs-${run}`))
  deepStrictEqual(
    ours.told.map(([subtype]) => subtype),
    ['success', 'success'],
  )
  // The last request had everything that was said before.
  const last = JSON.stringify(sentUnder(`ours-${run}`).at(-1))
  for (const said of [...asked, 'on its way', 'You said 2 things.']) ok(last.includes(said), `${said} in ${last}`)
  compared.sequences += 1
}
const { items } = await scope.recall('Which order is on its way?', { fresh: true })
ok(items.some(({ text }) => text.includes('7731')))

console.log(JSON.stringify(compared))
await close()
