import type { PolicyName } from '../src/api/policy.ts'
import type { Session } from '../src/api/session.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { agentSession } from './agent-session.ts'
import { type Figure, median } from './measure.ts'

const STEPS = 600
const BUDGET = 30_000
const POLICIES: readonly PolicyName[] = ['balanced', 'recency', 'rolling', 'managed', 'autoContext']
const BUDGETS = [30_000, 60_000, 128_000] as const
const SEEDS = [1, 2, 3] as const
const MESSAGES = 800

/** [contexts-72] [contexts-73] What each context costs in one long turn, and how much of its budget a session's contexts use. */
export async function turnsBenchmark(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const policy of POLICIES) figures.push(...(await longTurn(policy)))
  for (const budget of BUDGETS) figures.push(...(await useOfBudget(budget)))
  return figures
}

/** One question and 600 rounds of tools, with a context before each. In processor time, which depends less on what else the machine does. */
async function longTurn(policy: PolicyName): Promise<readonly Figure[]> {
  await using memory = await openMemory(':memory:', { learn: false })
  const session = memory.scope('bench/ada').session('s', { description: 'You are terse.' })
  await session.append({ role: 'user', content: 'Find out why the importer loses rows, and mend it.' })
  const times: number[] = []
  const used: number[] = []
  for (let step = 0; step < STEPS; step++) {
    const [id, file] = [`call-${step}`, `src/importer/part-${step % 40}.ts`]
    await session.append([
      { role: 'assistant', toolCalls: [{ id, name: 'read_file', arguments: { path: file } }] },
      { role: 'tool', toolCallId: id, content: outputOf(step, file) },
    ])
    const [start, before] = [performance.now(), process.cpuUsage()]
    await session.context({ budget: BUDGET, policy })
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    used.push((user + system) / 1_000)
  }
  const [early, late] = [median(used.slice(100, 200)), median(used.slice(-100))]
  const what = `context() in a turn of ${STEPS} tool steps with ${policy}`
  return [
    {
      requirement: '[contexts-72]',
      what,
      value: median(used.slice(100)),
      unit: ' ms',
      goal: { atMost: 3 },
      note: `p50 of processor time at ${BUDGET.toLocaleString('en')} tokens; p50 by the clock ${median(times.slice(100)).toFixed(1)} ms, p99 ${times.toSorted((a, b) => a - b)[Math.floor(STEPS * 0.99)]?.toFixed(1)} ms`,
    },
    {
      requirement: '[contexts-72]',
      what: `${what}, the last hundred against steps 100 to 200`,
      value: late / early,
      unit: '×',
      goal: { atMost: 1.3 },
      note: `${late.toFixed(2)} ms, ${early.toFixed(2)} ms`,
    },
  ]
}

function outputOf(step: number, file: string): string {
  const lines = Array.from(
    { length: 12 },
    (_, line) => `${line + 1}: const row${step * 12 + line} = parse(input, ${line})`,
  )
  return [`// ${file}`, ...lines, step % 7 === 0 ? `Error: row ${step} is missing in ${file}:${step % 90}` : 'ok'].join(
    '\n',
  )
}

/** The contexts of sessions of 800 messages, one before each reply. */
async function useOfBudget(budget: number): Promise<readonly Figure[]> {
  const [after, all]: [number[], number[]] = [[], []]
  let [input, cached] = [0, 0]
  for (const seed of SEEDS) {
    await using memory = await openMemory(':memory:', { learn: false })
    const session = memory.scope('bench/ada').session(`s${seed}`, { description: 'You are terse.' })
    await follow(session, { seed, budget }, (use) => {
      input += use.tokens
      cached += use.equal
      if (!use.hasMore) return
      all.push(use.tokens / budget)
      if (use.folded) after.push(use.tokens / budget)
    })
  }
  const of = `of a budget of ${budget.toLocaleString('en')} tokens`
  const note = `${all.length} contexts, ${after.length} compactions, sessions of ${MESSAGES} messages`
  const figure = (what: string, value: number, goal: number, unit = ''): Figure => ({
    requirement: '[contexts-73]',
    what: `${what} ${of}`,
    value,
    unit,
    goal: { atLeast: goal },
    note,
  })
  return [
    figure('balanced: median use right after compacting', median(after), 0.45),
    figure("balanced: median use over a session's turns", median(all), 0.6),
    figure('balanced: least use where the history has more to give', Math.min(...all), 0.3),
    figure('balanced: cached share', (cached / input) * 100, 95, ' %'),
  ]
}

interface Use {
  readonly tokens: number
  readonly equal: number
  readonly folded: boolean
  readonly hasMore: boolean
}

async function follow(
  session: Session,
  { seed, budget }: { readonly seed: number; readonly budget: number },
  onContext: (use: Use) => void,
): Promise<void> {
  let [stored, compactions] = [0, 0]
  const size = budget / 25
  for (const turn of agentSession({ seed, turns: MESSAGES, roundsMax: 3, resultCharacters: [size, size * 2] })) {
    for (const message of turn) {
      // A context is asked for where the model replies next: after what the user said and after each result.
      await session.append(message)
      if (++stored > MESSAGES) return
      if (message.role === 'assistant') continue
      const { tokens, cache } = await session.context({ budget, policy: 'balanced' })
      const count = (await session.compactions({ limit: 1 }))[0]?.compaction ?? 0
      const { tokens: history } = await session.stats()
      onContext({ tokens, equal: cache.equalTokens, folded: count !== compactions, hasMore: history > budget })
      compactions = count
    }
  }
}
