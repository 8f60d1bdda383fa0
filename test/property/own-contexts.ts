import fc from 'fast-check'
import { expect } from 'vitest'
import type { Context, ContextOptions } from '../../src/api/contexts.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Tokenizer } from '../../src/ports/tokenizer.ts'
import { policies } from './context-checks.ts'
import { plan, transcriptOf } from './context-transcripts.ts'

/** Counts a fold's id as one, whatever its letters are: ids of two sessions differ. */
export const words: Tokenizer = {
  name: 'words',
  exact: false,
  count: (said) => said.split(/\s+/).filter(Boolean).length,
}

interface Side {
  readonly policy: number
  readonly share: number
  readonly how: 'smaller' | 'other-policy' | 'other-model' | 'other-pins' | 'shrink' | 'larger-other-model'
}
type Op = { readonly do: 'append'; readonly count: number } | { readonly do: 'side'; readonly side: Side }

const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 24 }) }) },
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

/** Each is followed by a comparison, so a session is good for many cases. */
const CASES_PER_SESSION = 20

/**
 * The law that one call changes nothing for another. A case is a context of a session with calls of other kinds in between, compared
 * with the context of an equal session without them. Two handles of one memory: other calls come from both.
 */
export async function ownContexts([memory, other]: readonly [Memory, Memory], cases: number): Promise<number> {
  let [sessions, compared] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      plan,
      fc.array(op, { minLength: CASES_PER_SESSION, maxLength: CASES_PER_SESSION }),
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
          await Promise.all([busy.append(added), quiet.append(added)])
        }
        await append(20)
        for (const [index, one] of ops.entries()) {
          if (one.do === 'append') await append(one.count)
          else await answer(index % 2 === 0 ? busy : elsewhere, sideOptions(one.side, main))
          expect(await answer(busy, main)).toBe(await answer(quiet, main))
          compared += 1
        }
        expect(JSON.stringify(await busy.window())).toBe(JSON.stringify(await quiet.window()))
      },
    ),
    { numRuns: Math.ceil(cases / CASES_PER_SESSION) },
  )
  return compared
}
