// Measures the tokens of each request under each policy: `node scripts/bootstrap.cjs scripts/policy-tokens.ts`, then scripts/pictures.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type NewMessage, openMemory, simulateCache } from '../src/index.ts'
import { ROOT } from './run.ts'

const TURNS = 60
const BUDGET = 8_000
const POLICIES = ['balanced', 'recency', 'rolling', 'managed', 'autoContext'] as const

/** A support case: every third turn calls a tool with a long result. */
function turn(number: number): readonly NewMessage[] {
  const order = 7_000 + number
  const question: NewMessage = {
    role: 'user',
    content: `Question ${number}: where is order ${order}? It should be here.`,
  }
  const reply: NewMessage = {
    role: 'assistant',
    content: `Order ${order} left Porto and arrives on Monday. `.repeat(6),
  }
  if (number % 3 !== 0) return [question, reply]
  const id = `call-${number}`
  return [
    question,
    { role: 'assistant', toolCalls: [{ id, name: 'find_order', arguments: { order } }] },
    { role: 'tool', toolCallId: id, content: `scan ${order}: Porto, Lisbon, Faro; `.repeat(60) },
    reply,
  ]
}

const found: Record<string, unknown> = {}
for (const policy of POLICIES) {
  await using memory = await openMemory(':memory:', { learn: false, clock: { now: () => Date.UTC(2026, 0, 1) } })
  const chat = memory.scope('acme/ada').session('support-42')
  const tokens: number[] = []
  for (let number = 1; number <= TURNS; number++) {
    await chat.append(turn(number).slice(0, 1))
    tokens.push((await chat.context({ budget: BUDGET, policy, model: 'gpt-5' })).tokens)
    await chat.append(turn(number).slice(1))
  }
  const prices = { input: 1, cached: 0.1 }
  const [simulation] = await simulateCache(chat, [policy], prices, { budget: BUDGET, model: 'gpt-5' })
  found[policy] = { tokens, cachedShare: Number(simulation?.cachedShare.toFixed(2)), cost: simulation?.cost }
}
writeFileSync(join(ROOT, 'scripts/policy-tokens.json'), `${JSON.stringify({ budget: BUDGET, policies: found })}\n`)
