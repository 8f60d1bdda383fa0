import type { Draft } from '../src/domain/message.ts'
import { messageText } from '../src/log/message-text.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Session } from '../src/memory/session.ts'
import { agentSession, seeded } from './agent-session.ts'
import type { Figure } from './measure.ts'

const TURNS = 200
const BUDGET = 32_000

type Speaker = 'user' | 'assistant' | 'tool'

interface Planted {
  readonly kind: string
  readonly speaker: Speaker
  readonly text: string
}

/** One of each kind, with a number that stands nowhere else. */
const KINDS: Readonly<Record<string, (number: number) => { readonly text: string; readonly line: string }>> = {
  path: (number) => ({
    text: `lib/billing/invoice-${number}.ts`,
    line: `See lib/billing/invoice-${number}.ts for it.`,
  }),
  code: (number) => ({ text: `ORD-${number}`, line: `It belongs to ORD-${number} and to no other.` }),
  number: (number) => ({ text: `${number} ms`, line: `The slowest took ${number} ms this time.` }),
  date: (number) => ({ text: dateOf(number), line: `The change is due on ${dateOf(number)} at the latest.` }),
  url: (number) => ({
    text: `https://status.example.com/incidents/${number}`,
    line: `Reported at https://status.example.com/incidents/${number} by a customer.`,
  }),
  quoted: (number) => ({
    text: `Copper Lantern ${number}`,
    line: `The project is called "Copper Lantern ${number}" now.`,
  }),
  error: (number) => ({ text: `TypeError: row ${number} has no total`, line: `TypeError: row ${number} has no total` }),
}

/** [prove-4] Identifiers planted in a long session: how many can still be seen, and how many are one `reopen` away. */
export async function fidelityBenchmark(): Promise<readonly Figure[]> {
  const planted: Planted[] = []
  const memory = await openMemory(':memory:')
  const scope = memory.scope('bench/ada')
  const [session, truncated] = [scope.session('balanced'), scope.session('truncated')]
  const options = {
    seed: 11,
    turns: TURNS,
    roundsMax: 3,
    resultCharacters: [1_000, 1_000],
    mention: planter(planted),
  } as const
  for (const turn of agentSession(options)) {
    for (const one of [session, truncated]) await one.append(turn.slice(0, -1))
    await session.context({ budget: BUDGET })
    for (const one of [session, truncated]) await one.append(turn.slice(-1))
  }
  const { tokens } = await session.stats()
  const { messages } = await session.context({ budget: BUDGET })
  const plain = await truncated.context({ budget: BUDGET, policy: 'recency' })
  const seen = shownIn(messages)
  const seenPlain = shownIn(plain.messages)
  const behind = await textsBehindFolds(session)
  await memory.close()
  const visible = planted.filter(({ text }) => seen.includes(text))
  const reachable = planted.filter(({ text }) => seen.includes(text) || behind.some((one) => one.includes(text)))
  const inPlain = share(planted, (one) => seenPlain.includes(one.text))
  return [
    {
      requirement: '[prove-4]',
      what: 'planted identifiers still visible with balanced',
      value: share(planted, (one) => visible.includes(one)),
      unit: ' %',
      goal: { atLeast: 60 },
      note: `${planted.length} planted in ${tokens} tokens, budget ${BUDGET}; plain truncation ${inPlain.toFixed(1)} %; by ${byGroup(planted, visible)}`,
    },
    {
      requirement: '[prove-4]',
      what: 'planted identifiers visible or one reopen away with balanced',
      value: share(planted, (one) => reachable.includes(one)),
      unit: ' %',
      goal: { atLeast: 100 },
      note: `plain truncation ${inPlain.toFixed(1)} %: what it cuts is gone`,
    },
  ]
}

/** Plants one identifier for every line, of each kind in turn, by each speaker. */
function planter(planted: Planted[]): (speaker: Speaker) => string {
  const random = seeded(13)
  const numbers = Array.from({ length: 90_000 }, (_, index) => 10_000 + index)
  const kinds = Object.keys(KINDS)
  return (speaker) => {
    const kind = kinds[planted.length % kinds.length] ?? ''
    const [number = 0] = numbers.splice(Math.floor(random() * numbers.length), 1)
    const { text, line } = KINDS[kind]?.(number) ?? { text: '', line: '' }
    planted.push({ kind, speaker, text })
    return line
  }
}

/** A day of its own for every number. */
function dateOf(number: number): string {
  return new Date(Date.UTC(1900, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
}

function shownIn(messages: readonly Draft[]): string {
  return messages.map((message) => messageText(message)).join('\n')
}

/** What one `reopen` of each fold in the window gives. */
async function textsBehindFolds(session: Session): Promise<readonly string[]> {
  const texts: string[] = []
  for (const entry of await session.window()) {
    if ('standIn' in entry) texts.push((await session.reopen(entry.id, { limit: Number.MAX_SAFE_INTEGER })).text)
  }
  return texts
}

function share(planted: readonly Planted[], test: (one: Planted) => boolean): number {
  return (planted.filter(test).length / planted.length) * 100
}

function byGroup(planted: readonly Planted[], visible: readonly Planted[]): string {
  const groups = [...new Set([...planted.map(({ speaker }) => speaker), ...planted.map(({ kind }) => kind)])]
  return groups
    .map((group) => {
      const members = planted.filter(({ speaker, kind }) => speaker === group || kind === group)
      return `${group} ${share(members, (one) => visible.includes(one)).toFixed(0)} %`
    })
    .join(', ')
}
