import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dialect, dialects } from '../../src/domain/dialect.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { Policy, PolicyName } from '../../src/api/policy.ts'
import type { ContextOptions } from '../../src/api/contexts.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import { times } from '../tier.ts'
import { bytesIn, checkContext, contextOrRefusal, policies, stored } from './context-checks.ts'
import { type Plan, type Transcript, plan, transcriptOf } from './context-transcripts.ts'

let memory: Memory
let sessions = 0
beforeAll(async () => {
  memory = await openMemory(':memory:')
})
afterAll(() => memory.close())

/** Many sessions share a memory, for speed; all of them would fill the machine's at night. */
const SESSIONS_PER_MEMORY = 500

async function newSession(transcript: Transcript): Promise<Session> {
  if (++sessions % SESSIONS_PER_MEMORY === 0) {
    await memory.close()
    memory = await openMemory(':memory:')
  }
  return stored(memory, `s${sessions}`, transcript)
}

/** A budget is found in relation to the transcript: what must be there and a share of the rest, or exactly what must be there, or one token less. */
interface Wish {
  readonly budget: 'share' | 'just-enough' | 'one-too-few'
  readonly share: number
  readonly reserve: number
  readonly policy: PolicyName | Policy
  readonly bytes: { readonly dialect: Dialect; readonly share: number } | undefined
  readonly shrink: boolean
}

const wish: fc.Arbitrary<Wish> = fc.record({
  budget: fc.constantFrom('share', 'share', 'share', 'share', 'share', 'just-enough', 'one-too-few'),
  share: fc.constantFrom(-0.1, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1, 1.2, 2),
  reserve: fc.constantFrom(0, 0, 10, 500),
  policy: fc.constantFrom(...policies),
  bytes: fc.option(fc.record({ dialect: fc.constantFrom(...dialects), share: fc.constantFrom(0.1, 0.4, 0.8, 1.5) }), {
    nil: undefined,
    freq: 3,
  }),
  shrink: fc.integer({ min: 0, max: 11 }).map((n) => n === 11),
})

const WINDOWS_EACH = 4
const WINDOWS = times({ daily: 100, nightly: 100_000 })
/** A third of the wishes is for too little, on purpose. */
const WISHES_PER_WINDOW = 1.6

/** Two thousand messages, whatever the generator comes up with. */
const longest: [Plan, Wish[]] = [
  {
    steps: [
      { do: 'say', role: 'user', how: { size: 60, script: 'latin' }, pinned: false },
      {
        do: 'call',
        calls: (['own', 'together', 'together', 'late'] as const).map((result) => ({
          torn: false,
          result,
          output: 'text',
          tool: 'search',
          how: { size: 200, script: 'json' },
          reused: false,
        })),
        words: true,
        pinned: false,
      },
      { do: 'say', role: 'assistant', how: { size: 90, script: 'cjk' }, pinned: false },
      { do: 'settle' },
    ],
    repeat: 400,
  },
  (['balanced', 'rolling', 'autoContext', 'recency'] as const).map((policy) => ({
    budget: 'share',
    share: policy === 'recency' ? 0.9 : 0.1,
    reserve: 500,
    policy,
    bytes: policy === 'recency' ? { dialect: 'anthropic', share: 0.4 } : undefined,
    shrink: false,
  })),
]

it(
  '[prove-1] [ctx-2] [ctx-3] [ctx-4] [ctx-5] [ctx-6] [ctx-7] [ctx-8] [ctx-10] every window is valid and within its budget, or refused with numbers that add up',
  async () => {
    const figures = { windows: 0, refused: 0, messages: 0, longest: 0, folded: 0 }
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.array(wish, { minLength: WINDOWS_EACH, maxLength: WINDOWS_EACH }),
        async (steps, wishes) => {
          const transcript = transcriptOf(steps)
          const chat = await newSession(transcript)
          const live = await chat.history()
          figures.messages += transcript.messages.length
          figures.longest = Math.max(figures.longest, transcript.messages.length)
          for (const one of wishes) {
            const options = await optionsFor(chat, one)
            figures.windows += 1
            const { version } = await chat.stats()
            const context = await contextOrRefusal(chat, options)
            if (context === undefined) {
              expect((await chat.stats()).version, 'and nothing else happened').toBe(version)
              expect(one.budget === 'just-enough', 'what was said to be enough is enough').toBe(false)
              figures.refused += 1
              continue
            }
            expect(one.budget === 'one-too-few', 'what was said to be too little is too little').toBe(false)
            await checkContext(context, options, live, transcript)
            if (context.receipt.lines.some(({ type }) => type === 'folded')) figures.folded += 1
            const { shrink: _shrink, ...again } = options
            if (one.shrink) continue
            expect(bytesIn(await chat.context(again)) === bytesIn(context), 'the same bytes again').toBe(true)
          }
          expect(JSON.stringify(await chat.history()) === JSON.stringify(live), 'the log as it was').toBe(true)
        },
      ),
      { numRuns: Math.ceil((WINDOWS * WISHES_PER_WINDOW) / WINDOWS_EACH), examples: [longest] },
    )
    expect(figures.windows - figures.refused).toBeGreaterThanOrEqual(WINDOWS)
    expect(figures.longest).toBe(2_000)
    process.stdout.write(`windows: ${JSON.stringify(figures)}\n`)
  },
  times({ daily: 12, nightly: 120 }) * 60_000,
)

async function optionsFor(chat: Session, one: Wish): Promise<ContextOptions> {
  const base = { policy: one.policy, reserve: one.reserve }
  const needed = await neededBy(chat)
  if (one.budget !== 'share') {
    return { ...base, budget: Math.max(1, needed + one.reserve - (one.budget === 'just-enough' ? 0 : 1)) }
  }
  const { tokens } = await chat.stats()
  const budget = Math.max(1, Math.ceil(needed + (tokens - needed) * one.share) + one.reserve)
  const shrink = one.shrink ? { shrink: true } : {}
  if (one.bytes === undefined) return { ...base, budget, ...shrink }
  const max = Math.max(1, Math.ceil(tokens * 4 * one.bytes.share))
  return { ...base, budget, ...shrink, bytes: { dialect: one.bytes.dialect, max } }
}

/** What a context needs at the least, as its refusal says. */
async function neededBy(chat: Session): Promise<number> {
  try {
    await chat.context({ budget: 1, policy: 'recency' })
    return 1
  } catch (error) {
    if (MemoryError.is(error, 'context/over-budget')) return Number(error.details['needed'])
    throw error
  }
}
