import type { Policy } from '../src/api/policy.ts'
import type { Fold } from '../src/domain/fold.ts'
import type { Draft } from '../src/domain/message.ts'
import { messageText } from '../src/log/message-text.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { estimator } from '../src/tokens/estimate.ts'
import { type HandWrittenSession, readHandWritten } from './hand-written/read-sessions.ts'
import type { Figure } from './measure.ts'

const SHARE = 0.1

/** Everything before the newest request becomes one summary of a tenth of its tokens. */
const TO_A_TENTH: Policy = {
  name: 'to a tenth',
  high: { mark: { tokens: 0 } },
  low: { mark: { tokens: 0 } },
  steps: [{ stage: 'summarise', unit: 'range', where: 'before-newest-user', ratio: SHARE, tokensMax: 100_000 }],
  advance: 'until-low',
}

export interface FoldedSession {
  readonly session: HandWrittenSession
  readonly tokens: number
  /** What is left of it: the text of the fold, and what it cost. */
  readonly fold: string
  readonly foldTokens: number
  readonly folded: readonly string[]
  readonly truncated: readonly string[]
  readonly recent: readonly string[]
  /** Paths, numbers, names and so on that are in the sentences to keep, and those of them that the fold shows. */
  readonly identifiers: { readonly kept: number; readonly shown: number }
  /** The same of everything that the user or the assistant said. */
  readonly saidIdentifiers: { readonly kept: number; readonly shown: number }
  /** The same of everything, with logs and listings. */
  readonly allIdentifiers: { readonly kept: number; readonly shown: number }
  /** How many of all of them a fold of this size could show if it were a list of the shortest ones and had no words. */
  readonly listable: number
}

/** [contexts-13] Sentences that a reader would keep, in sessions written by hand: how many are visible at a tenth of the tokens. */
export async function keepersBenchmark(): Promise<readonly Figure[]> {
  const outcomes: FoldedSession[] = []
  for (const session of readHandWritten()) outcomes.push(await foldToTenth(session))
  const percent = (seen: 'folded' | 'truncated' | 'recent', among: readonly FoldedSession[]): number =>
    (sum(among, (one) => one[seen].length) / sum(among, ({ session }) => session.keepers.length)) * 100
  const kinds = [...new Set(outcomes.map(({ session }) => session.kind))]
  const byKind = kinds.map((kind) => {
    const members = outcomes.filter(({ session }) => session.kind === kind)
    return `${kind} ${percent('folded', members).toFixed(0)} %`
  })
  const tokens = sum(outcomes, (one) => one.tokens)
  const [all, listable] = [sum(outcomes, (one) => one.allIdentifiers.kept), sum(outcomes, (one) => one.listable)]
  const used = ((sum(outcomes, (one) => one.foldTokens) / tokens) * 100).toFixed(1)
  return [
    {
      requirement: '[contexts-13]',
      what: 'sentences that a reader would keep, visible at a tenth of the tokens',
      value: percent('folded', outcomes),
      unit: ' %',
      goal: { atLeast: 80 },
      note: `${sum(outcomes, ({ session }) => session.keepers.length)} sentences in ${outcomes.length} sessions of ${Math.round(
        tokens / outcomes.length,
      )} tokens, folded to ${used} % of them; plain truncation ${percent('truncated', outcomes).toFixed(1)} %, recency ${percent(
        'recent',
        outcomes,
      ).toFixed(1)} %; ${byKind.join(', ')}`,
    },
    {
      requirement: '[contexts-13]',
      what: 'identifiers in those sentences, visible at a tenth of the tokens',
      value: share(outcomes, 'identifiers'),
      unit: ' %',
      goal: { atLeast: 60 },
      note: `${sum(outcomes, (one) => one.identifiers.kept)} identifiers`,
    },
    {
      requirement: '[contexts-13]',
      what: 'identifiers that the user or the assistant named, visible at a tenth of the tokens',
      value: share(outcomes, 'saidIdentifiers'),
      unit: ' %',
      goal: { atLeast: 60 },
      note: `${sum(outcomes, (one) => one.saidIdentifiers.kept)} identifiers`,
    },
    {
      requirement: '[contexts-13]',
      what: 'identifiers of everything, with those of logs and listings, visible at a tenth of the tokens',
      value: share(outcomes, 'allIdentifiers'),
      unit: ' %',
      goal: { atLeast: 60 },
      note: `of ${all}; folds of this size that were nothing but lists of the shortest ones would show ${((listable / all) * 100).toFixed(1)} %`,
    },
  ]
}

/** The shortest first, each with a comma and a space, until the tokens are used up. */
function listableIn(ledger: Fold['ledger'], tokens: number): number {
  const { count } = estimator()
  const costs = ledger.map(({ text }) => count(`${text}, `)).toSorted((a, b) => a - b)
  let left = tokens
  return costs.filter((cost) => (left -= cost) >= 0).length
}

function share(outcomes: readonly FoldedSession[], of: 'identifiers' | 'saidIdentifiers' | 'allIdentifiers'): number {
  return (sum(outcomes, (one) => one[of].shown) / sum(outcomes, (one) => one[of].kept)) * 100
}

/** Folds one session, and looks for its sentences in the fold, in its last tenth and in what `recency` shows. */
export async function foldToTenth(session: HandWrittenSession): Promise<FoldedSession> {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('bench/ada')
  const [compacted, recent] = [scope.session('compacted'), scope.session('recent')]
  for (const one of [compacted, recent]) await one.append(session.messages)
  const { tokens } = await recent.stats()
  const text = shown((await recent.context({ budget: 1_000_000, policy: 'recency' })).messages)
  const budget = Math.floor(tokens * SHARE)
  const newest = shown((await recent.context({ budget, policy: 'recency' })).messages)
  await compacted.append({ role: 'user', content: 'Go on.' })
  await compacted.compact({ policy: TO_A_TENTH })
  const window = await compacted.window()
  const [fold] = window.flatMap((entry) => ('standIn' in entry ? [entry] : []))
  if (fold === undefined) throw new Error(`Cannot measure "${session.title}": expected it to be folded`)
  const words = shown(fold.standIn)
  const visibleIn = (where: string): readonly string[] => session.keepers.filter((one) => isVisible(one, where))
  return {
    session,
    tokens,
    fold: words,
    foldTokens: fold.tokens,
    folded: visibleIn(words),
    truncated: visibleIn(text.slice(-Math.floor(text.length * SHARE))),
    recent: visibleIn(newest),
    identifiers: identifiersIn(fold.ledger, words, ({ text: name }) =>
      session.keepers.some((one) => one.includes(name)),
    ),
    saidIdentifiers: identifiersIn(fold.ledger, words, ({ trust }) => trust > 0),
    allIdentifiers: identifiersIn(fold.ledger, words, () => true),
    listable: listableIn(fold.ledger, fold.tokens),
  }
}

function identifiersIn(
  ledger: Fold['ledger'],
  words: string,
  isWanted: (identifier: Fold['ledger'][number]) => boolean,
): FoldedSession['identifiers'] {
  const wanted = ledger.filter(isWanted)
  return { kept: wanted.length, shown: wanted.filter(({ text }) => words.includes(text)).length }
}

/** Word for word, but for white space and the mark at its end. */
function isVisible(sentence: string, text: string): boolean {
  return text.replaceAll(/\s+/g, ' ').includes(sentence.replace(/[.?!]$/, ''))
}

function shown(messages: readonly Draft[]): string {
  return messages.map((message) => messageText(message)).join('\n')
}

function sum(outcomes: readonly FoldedSession[], pick: (outcome: FoldedSession) => number): number {
  return outcomes.reduce((all, one) => all + pick(one), 0)
}
