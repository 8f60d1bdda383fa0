import type { ContextCache } from '../../api/contexts.ts'
import type { Draft, Message } from '../../domain/message.ts'

/** A context as the next one is compared with it: a name for each message and what it costs. */
export interface Fingerprint {
  readonly names: readonly string[]
  readonly tokens: readonly number[]
}

/** @param stored Those that stand in the log just so: they never change under their id and revision. */
export function fingerprint(
  messages: readonly Draft[],
  tokens: readonly number[],
  stored: ReadonlySet<Draft>,
): Fingerprint {
  return { names: messages.map((draft) => nameOf(draft, stored)), tokens }
}

/** A repaired message keeps its id and says something else: anything that is not in the log is named by what it says. */
function nameOf(draft: Draft, stored: ReadonlySet<Draft>): string {
  const { id, seq, revision } = draft as Partial<Message>
  return stored.has(draft) ? `${id} ${seq} ${revision}` : JSON.stringify([draft.role, draft.name, draft.parts])
}

export function compareWithPrevious(
  previous: Fingerprint | undefined,
  current: Fingerprint,
  stable: number,
): ContextCache {
  const before = previous?.names ?? []
  const difference = current.names.findIndex((name, index) => name !== before[index])
  const equal = difference < 0 ? current.names.length : difference
  const sum = (tokens: readonly number[]): number => tokens.reduce((total, count) => total + count, 0)
  return {
    equalTokens: sum(current.tokens.slice(0, equal)),
    totalTokens: sum(current.tokens),
    firstDifference: difference < 0 ? null : difference,
    breakpoints: [...new Set([stable - 1, equal - 1, current.names.length - 1])]
      .filter((index) => index >= 0)
      .toSorted((a, b) => a - b),
  }
}

/** The messages with Anthropic's cache marks at the breakpoints. */
export function withCacheMarks(messages: readonly Draft[], breakpoints: readonly number[]): readonly Draft[] {
  return messages.map((draft, index) => {
    const last = draft.parts.at(-1)
    if (!breakpoints.includes(index) || last === undefined || last.type === 'reasoning') return draft
    const anthropic = { ...last.provider?.['anthropic'], cacheControl: { type: 'ephemeral' } }
    return { ...draft, parts: [...draft.parts.slice(0, -1), { ...last, provider: { ...last.provider, anthropic } }] }
  })
}
