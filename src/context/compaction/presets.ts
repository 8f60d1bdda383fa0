import type { PolicyName } from '../../api/policy.ts'
import type { Policy, StageStep } from '../../api/policy.ts'

/**
 * Forge (ADR 7): all system messages, then the newest that fit. That is what assembling does with any window, so there is
 * nothing to compact: nothing is ever folded, and each context leaves out what does not fit.
 */
export const recency: Policy = { name: 'recency', high: {}, low: {}, steps: [], advance: 'until-low' }

/** AgentScope's `maxToken` 131,072 times its `tokenRatio` 0.75. */
const AUTO_CONTEXT_TOKENS = 98_304
/** `lastKeep`. */
const AUTO_CONTEXT_KEEP = 50
/** `largePayloadThreshold` and `offloadSinglePreview`. */
const AUTO_CONTEXT_LARGE = { overCharacters: 5_120, previewCharacters: 200 } as const
/** `minCompressionTokenThreshold`: gates steps 1 and 4 only. */
const AUTO_CONTEXT_TOKENS_MIN = 5_000

/**
 * AgentScope's AutoContextMemory (1.x) with its real defaults: six steps, cheapest first, one change at a time. Begins at
 * `msgThreshold` 100 messages or 98,304 tokens. Corrected as the notes say: all blocks are counted (C-13), bundles are never
 * split (C-01), summaries are told by the user (C-42), results that the model has not answered are left alone.
 */
export const autoContext: Policy = {
  name: 'autoContext',
  high: { mark: { tokens: AUTO_CONTEXT_TOKENS }, entries: 100, reached: true },
  // It begins when these plus one are reached, so this is where it has ended.
  low: { mark: { tokens: AUTO_CONTEXT_TOKENS - 1 }, entries: 99 },
  steps: [
    // 1: runs of more than `minConsecutiveToolMessages` 6, up to five of them.
    {
      stage: 'merge',
      where: 'before-answer',
      keepLast: AUTO_CONTEXT_KEEP,
      runOver: 6,
      tokensMin: AUTO_CONTEXT_TOKENS_MIN,
      runsMax: 5,
    },
    // 2 and 3: large messages, first outside of what is kept, then all before the answer.
    { stage: 'offload', where: 'before-answer', keepLast: AUTO_CONTEXT_KEEP, ...AUTO_CONTEXT_LARGE },
    { stage: 'offload', where: 'before-answer', ...AUTO_CONTEXT_LARGE },
    // 4: earlier rounds that had something between request and answer; the user's message stays.
    {
      stage: 'summarise',
      unit: 'round',
      where: 'before-newest-user',
      keepUser: true,
      between: true,
      tokensMin: AUTO_CONTEXT_TOKENS_MIN,
    },
    // 5: large messages of the current round, each retold by a model if there is one.
    { stage: 'offload', where: 'current-round', retell: true, ...AUTO_CONTEXT_LARGE },
    // 6: the current round, to `currentRoundCompressionRatio` 0.3 of itself. No bound but the ratio.
    { stage: 'summarise', unit: 'range', where: 'current-round', ratio: 0.3, tokensMax: AUTO_CONTEXT_TOKENS },
  ],
  advance: 'first-change',
}

/** C-34: what the summaries of `rolling` may take together. The original let them grow for ever; the number is ours. */
const ROLLING_SUMMARY_TOKENS = 8_000

/**
 * Hypr-Claw: over 50 entries, all but the newest 30 become a summary; over 100,000 tokens, so does the older half, and only if
 * the first did not help (C-34). Its summary has a budget here, and a bundle on the edge is kept whole (C-30).
 */
export const rolling: Policy = {
  name: 'rolling',
  high: { mark: { tokens: 100_000 }, entries: 50 },
  low: { mark: { tokens: 100_000 }, entries: 50 },
  steps: [
    { stage: 'summarise', unit: 'folds', summaryTokensMax: ROLLING_SUMMARY_TOKENS },
    { stage: 'summarise', unit: 'range', entriesOver: 50, keepLast: 30, tokensMax: 2_000 },
    { stage: 'summarise', unit: 'range', take: 'half', tokensMax: 2_000 },
  ],
  advance: 'until-low',
}

/** MARSYS: threshold 150,000; a processor runs if it saves 40 % of that; the target is what is left. */
const MANAGED_THRESHOLD = 150_000
const MANAGED_SAVING = 60_000

/**
 * MARSYS' managed memory: cut tool results to 1,200 tokens, summarise into at most 6,000, pack from the newest backwards.
 * The newest round of the assistant is left alone by all three. The first two run if they save 40 % of the threshold, the last always.
 */
export const managed: Policy = {
  name: 'managed',
  high: { mark: { tokens: MANAGED_THRESHOLD } },
  low: { mark: { tokens: MANAGED_THRESHOLD - MANAGED_SAVING } },
  steps: [
    { stage: 'truncate-results', tokensMax: 1_200, keepRounds: 1, savesMin: MANAGED_SAVING },
    { stage: 'summarise', unit: 'range', tokensMax: 6_000, keepRounds: 1, savesMin: MANAGED_SAVING, split: true },
    { stage: 'drop', mode: 'skip', keepRounds: 1 },
  ],
  advance: 'until-low',
}

/** Rounds of the assistant that `balanced` leaves as they are, whatever it does: what the model is working with. Ours. */
const BALANCED_ROUNDS = 3
/** C-34: summaries, records and the requests between them, together; a summariser step before and after the others sees to it. Ours. */
const BALANCED_FOLDS: StageStep = { stage: 'summarise', unit: 'folds', summaryTokensMax: 32_000 }

/**
 * Ours, and the default: at 80 % of the budget (Forge's threshold) down to 50 %, so that it happens rarely and the cached
 * prefix holds in between. Cheapest first: what can be reopened whole (large payloads, long results), then records of tool work,
 * then summaries of rounds that keep the user's words, then of all that is old; what still does not fit leaves the window.
 */
export const balanced: Policy = {
  name: 'balanced',
  high: { mark: { ratio: 0.8 } },
  low: { mark: { ratio: 0.5 } },
  steps: [
    // AgentScope's limit; twice its preview, since the ends of a log say how it came out.
    { stage: 'offload', keepRounds: BALANCED_ROUNDS, overCharacters: 5_120, previewCharacters: 400 },
    // AgentScope 2.x: 2,000 characters, head and tail, with the newest 40,000 tokens left alone.
    { stage: 'truncate-results', keepRounds: BALANCED_ROUNDS, keepTokens: 40_000, charactersMax: 2_000 },
    // AgentScope's run length; a fifth of its tokens, because our budgets are often small and no model is asked.
    { stage: 'merge', keepRounds: BALANCED_ROUNDS, runOver: 6, tokensMin: 1_000, runsMax: 20, tokensMax: 1_500 },
    BALANCED_FOLDS,
    {
      stage: 'summarise',
      unit: 'round',
      where: 'before-newest-user',
      keepRounds: BALANCED_ROUNDS,
      keepUser: true,
      tokensMin: 400,
      take: 'to-target',
    },
    { stage: 'summarise', unit: 'range', keepRounds: BALANCED_ROUNDS, take: 'to-target', tokensMax: 2_000 },
    BALANCED_FOLDS,
    // Whatever is left to take: one round of the assistant stays. Told before it is dropped: a summary still names things.
    { stage: 'summarise', unit: 'range', keepRounds: 1, take: 'to-target', tokensMax: 1_000 },
    { stage: 'drop', keepRounds: 1 },
  ],
  advance: 'until-low',
}

/** All presets by name. */
export const presets: Readonly<Record<PolicyName, Policy>> = {
  recency,
  autoContext,
  rolling,
  managed,
  balanced,
}

/** The policy that a caller named or made. */
export function policyOf(given: PolicyName | Policy = 'balanced'): Policy {
  return typeof given === 'string' ? presets[given] : given
}
