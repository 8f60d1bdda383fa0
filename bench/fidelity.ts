import type { Draft } from '../src/domain/message.ts'
import { messageText } from '../src/log/message-text.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import type { ContextReceipt } from '../src/api/contexts.ts'
import type { Session } from '../src/api/session.ts'
import { agentSession, seeded } from './agent-session.ts'
import type { Figure } from './measure.ts'

const SEEDS = [11, 21, 31, 41] as const
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

interface Outcome {
  readonly planted: readonly Planted[]
  readonly visible: readonly Planted[]
  readonly reachable: readonly Planted[]
  readonly inPlain: readonly Planted[]
  readonly tokens: number
}

/** [prove-4] Identifiers planted in long sessions: how many can still be seen, and how many are one `reopen` away. */
export async function fidelityBenchmark(): Promise<readonly Figure[]> {
  const outcomes: Outcome[] = []
  for (const seed of SEEDS) outcomes.push(await plantAndLook(seed))
  const all = (pick: (outcome: Outcome) => readonly Planted[]): readonly Planted[] => outcomes.flatMap(pick)
  const planted = all((one) => one.planted)
  const percent = (pick: (outcome: Outcome) => readonly Planted[]): number => (all(pick).length / planted.length) * 100
  const inPlain = percent((one) => one.inPlain).toFixed(1)
  const tokens = Math.round(outcomes.reduce((sum, one) => sum + one.tokens, 0) / outcomes.length)
  const each = outcomes.map((one) => ((one.visible.length / one.planted.length) * 100).toFixed(0)).join(', ')
  return [
    {
      requirement: '[prove-4]',
      what: 'planted identifiers still visible with balanced',
      value: percent((one) => one.visible),
      unit: ' %',
      goal: { atLeast: 60 },
      note: `${planted.length} planted in ${SEEDS.length} sessions (${each} %) of ${tokens} tokens, budget ${BUDGET}; plain truncation ${inPlain} %; by ${byGroup(
        planted,
        all((one) => one.visible),
      )}`,
    },
    {
      requirement: '[prove-4]',
      what: 'planted identifiers visible or one reopen away with balanced',
      value: percent((one) => one.reachable),
      unit: ' %',
      goal: { atLeast: 100 },
      note: `plain truncation ${inPlain} %: what it cuts is gone`,
    },
  ]
}

async function plantAndLook(seed: number): Promise<Outcome> {
  const planted: Planted[] = []
  const memory = await openMemory(':memory:')
  const scope = memory.scope('bench/ada')
  const [session, truncated] = [scope.session('balanced'), scope.session('truncated')]
  const options = {
    seed,
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
  const context = await session.context({ budget: BUDGET })
  const seen = shownIn(context.messages)
  const seenPlain = shownIn((await truncated.context({ budget: BUDGET, policy: 'recency' })).messages)
  const behind = await textsBehindFolds(session, context.receipt)
  await memory.close()
  return {
    planted,
    visible: planted.filter(({ text }) => seen.includes(text)),
    reachable: planted.filter(({ text }) => seen.includes(text) || behind.some((one) => one.includes(text))),
    inPlain: planted.filter(({ text }) => seenPlain.includes(text)),
    tokens,
  }
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

/** What one `reopen` of each fold in the context gives. */
async function textsBehindFolds(session: Session, { lines }: ContextReceipt): Promise<readonly string[]> {
  const texts: string[] = []
  for (const line of lines) {
    if (line.type === 'folded') texts.push((await session.reopen(line.fold, { limit: Number.MAX_SAFE_INTEGER })).text)
  }
  return texts
}

function byGroup(planted: readonly Planted[], visible: readonly Planted[]): string {
  const groups = [...new Set([...planted.map(({ speaker }) => speaker), ...planted.map(({ kind }) => kind)])]
  return groups
    .map((group) => {
      const members = planted.filter(({ speaker, kind }) => speaker === group || kind === group)
      return `${group} ${((members.filter((one) => visible.includes(one)).length / members.length) * 100).toFixed(0)} %`
    })
    .join(', ')
}
