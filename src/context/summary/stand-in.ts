import { defined } from '../../domain/defined.ts'
import type { Teller } from '../../api/policy.ts'
import type { Draft, Message } from '../../domain/message.ts'
import { estimator } from '../../tokens/estimate.ts'
import { type Entry, totalTokens } from '../window/entry.ts'

/** OpenAI's published rule, as `tokens/count-message.ts` has it: what frames a message. */
const MESSAGE_TOKENS = 3

export function told(role: Teller, text: string): Draft {
  return { role, parts: [{ type: 'text', text }] }
}

/** About how many tokens a stand-in of texts takes; a little high. The runner counts exactly. */
export function estimatedTokens(standIn: readonly Draft[]): number {
  return standIn.reduce(
    (sum, { parts }) =>
      sum +
      MESSAGE_TOKENS +
      parts.reduce((all, part) => all + (part.type === 'text' ? estimator().count(part.text) : 0), 0),
    0,
  )
}

/** Whether it is worth proposing: a stand-in that saves nothing would only cost the cache. */
export function isSmaller(standIn: readonly Draft[], entries: readonly Entry[]): boolean {
  return estimatedTokens(standIn) < totalTokens(entries)
}

/** A message as it was said, without its place in the log: what a shortened one keeps. */
export function withoutPlace(message: Message): Draft {
  const { role, parts, id, name, tags, metadata, at, provider } = message
  return {
    role,
    parts,
    id,
    at,
    ...defined({ name, tags, metadata, provider }),
  }
}
