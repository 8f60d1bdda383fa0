import { patternLearner } from '../src/knowledge/learn/patterns/pattern-learner.ts'
import { chats, chatsHeldOut } from '../test/fixtures/learned/chats.ts'
import { chatsFresh } from '../test/fixtures/learned/chats-fresh.ts'
import { chatsLater, trickyLater } from '../test/fixtures/learned/later.ts'
import { type Judgement, judge } from '../test/fixtures/learned/judge.ts'
import type { Sample } from '../test/fixtures/learned/sample.ts'
import { tricky, trickyHeldOut } from '../test/fixtures/learned/tricky.ts'
import { trickyFresh } from '../test/fixtures/learned/tricky-fresh.ts'
import type { Figure } from './measure.ts'

/** [signed-1] [signed-2] How what the patterns learn from our own chats was judged, beside the goals. */
export async function learnedBenchmark(): Promise<readonly Figure[]> {
  return [
    ...ofChats('chats', await judged(chats)),
    ...ofChats('held-out chats', await judged(chatsHeldOut)),
    ...ofChats('later chats', await judged(chatsLater)),
    ...ofChats('fresh chats', await judged(chatsFresh)),
    ofTricky('tricky sentences', tricky.length, await judged(tricky)),
    ofTricky('held-out tricky sentences', trickyHeldOut.length, await judged(trickyHeldOut)),
    ofTricky('later tricky sentences', trickyLater.length, await judged(trickyLater)),
    ofTricky('fresh tricky sentences', trickyFresh.length, await judged(trickyFresh)),
  ]
}

async function judged(samples: readonly Sample[]): Promise<Judgement> {
  const learner = patternLearner()
  const { signal } = new AbortController()
  return judge(samples, async (text) => {
    const material = { id: 'm1', seq: 1, role: 'user', at: '2024-06-15T12:00:00.000Z', texts: [text] } as const
    return (await learner([material], { scope: 'bench/ada', signal, isLastTry: false, before: async () => [] })).learned
  })
}

function ofChats(what: string, { right, useless, rubbish, wrong, noted, wanted }: Judgement): readonly Figure[] {
  const learned = right + useless + rubbish + wrong
  return [
    {
      requirement: '[signed-1]',
      what: `facts learned from ${what} that are right`,
      value: (100 * right) / learned,
      unit: ' %',
      goal: { atLeast: 95 },
      note: `${right} right, ${useless} useless, ${rubbish} with rubbish, ${wrong} wrong`,
    },
    {
      requirement: '[signed-2]',
      what: `what a person would note from ${what}`,
      value: (100 * noted) / wanted,
      unit: ' %',
      goal: { atLeast: 50 },
      note: `${noted} of ${wanted}`,
    },
  ]
}

function ofTricky(what: string, messages: number, { misled, wrong, rubbish }: Judgement): Figure {
  return {
    requirement: '[signed-1]',
    what: `${what} that teach something wrong`,
    value: (100 * misled) / messages,
    unit: ' %',
    // 2 of 90.
    goal: { atMost: 2.2 },
    note: `${misled} of ${messages}, with ${wrong + rubbish} facts`,
  }
}
