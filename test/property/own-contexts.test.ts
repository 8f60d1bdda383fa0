import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context, ContextOptions } from '../../src/api/contexts.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Tokenizer } from '../../src/ports/tokenizer.ts'
import { times } from '../tier.ts'
import { policies } from './context-checks.ts'
import { plan, transcriptOf } from './context-transcripts.ts'

/** Counts a fold's id as one, whatever its letters are: ids of two sessions differ. */
const words: Tokenizer = { name: 'words', exact: false, count: (said) => said.split(/\s+/).filter(Boolean).length }

let directory: string
let memory: Memory
let other: Memory
let sessions = 0
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-own-'))
  memory = await openMemory(join(directory, 'a.db'), { tokenizer: words, learn: false })
  other = await openMemory(join(directory, 'a.db'), { tokenizer: words, learn: false })
})
afterAll(async () => {
  await memory.close()
  await other.close()
  await rm(directory, { recursive: true })
})

interface Side {
  readonly policy: number
  readonly share: number
  readonly how: 'smaller' | 'other-policy' | 'other-model' | 'other-pins' | 'shrink' | 'larger-other-model'
}
type Op =
  | { readonly do: 'append'; readonly count: number }
  | { readonly do: 'main' }
  | { readonly do: 'side'; readonly side: Side }

const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'main' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('side' as const),
      side: fc.record({
        policy: fc.nat({ max: policies.length - 1 }),
        share: fc.constantFrom(0.05, 0.2, 0.5, 0.9),
        how: fc.constantFrom('smaller', 'other-policy', 'other-model', 'other-pins', 'shrink', 'larger-other-model'),
      }),
    }),
  },
)

function sideOptions(
  { policy, share, how }: Side,
  main: ContextOptions & { budget: number },
): ContextOptions & { budget: number } {
  const smaller = { ...main, budget: Math.max(1, Math.floor(main.budget * share)) }
  if (how === 'smaller') return { ...smaller, budget: Math.min(smaller.budget, main.budget - 1) }
  if (how === 'shrink') return { ...main, shrink: true }
  if (how === 'other-model') return { ...smaller, model: 'another-model' }
  if (how === 'larger-other-model') return { ...main, budget: main.budget * 2, model: 'another-model' }
  if (how === 'other-pins') return { ...main, pins: { tags: ['elsewhere'] } }
  return {
    ...smaller,
    policy: {
      ...(policies[policy] as object),
      name: 'another',
      high: { mark: { ratio: 0.3 } },
      low: { mark: { ratio: 0.1 } },
      steps: [{ stage: 'drop' }],
      advance: 'until-low',
    } as never,
  }
}

/** What a context says, without the ids of folds, which name their session. */
function told({ messages, receipt, cache }: Context): string {
  return JSON.stringify([messages, receipt, cache]).replaceAll(/fold-[0-9a-f]{12}/g, 'fold')
}

async function answer(chat: Session, options: ContextOptions): Promise<string> {
  return chat.context(options).then(told, (error: unknown) => String((error as { code?: string }).code))
}

it(
  '[contexts-5] a context is what it would be without the smaller and the other calls in between',
  async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.array(op, { minLength: 4, maxLength: 16 }),
        fc.constantFrom(...policies),
        fc.constantFrom(80, 300, 1_000, 4_000),
        async (steps, ops, policy, budget) => {
          const at = new Date('2026-01-01').toISOString()
          const messages: NewMessage[] = transcriptOf(steps)
            .messages.slice(0, 300)
            .map((message, index) => ({ ...message, id: `m${index}`, at }))
          const main = { budget, policy } as ContextOptions & { budget: number }
          const name = `s${++sessions}`
          const [busy, elsewhere] = [memory, other].map((one) => one.scope('busy').session(name)) as [Session, Session]
          const quiet = memory.scope('quiet').session(name)
          let appended = 0
          const append = async (count: number): Promise<void> => {
            const next = messages.slice(appended, appended + count)
            appended += next.length
            const added =
              next.length > 0
                ? next
                : [{ role: 'user' as const, content: `more ${appended}`, at, id: `more-${(appended += 1)}` }]
            await busy.append(added)
            await quiet.append(added)
          }
          await append(20)
          for (const [index, one] of [...ops, { do: 'main' } as const].entries()) {
            if (one.do === 'append') await append(one.count)
            else if (one.do === 'side') await answer(index % 2 === 0 ? busy : elsewhere, sideOptions(one.side, main))
            else {
              expect(await answer(busy, main)).toBe(await answer(quiet, main))
              compared += 1
            }
          }
          expect(JSON.stringify(await busy.window())).toBe(JSON.stringify(await quiet.window()))
        },
      ),
      { numRuns: times({ daily: 60, nightly: 25_000 }) },
    )
    process.stdout.write(`own contexts: ${compared} compared\n`)
  },
  times({ daily: 12, nightly: 240 }) * 60_000,
)
