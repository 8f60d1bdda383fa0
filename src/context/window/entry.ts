import type { Fold, SeqRange } from '../../domain/fold.ts'
import type { Draft, Message } from '../../domain/message.ts'
import { type Trust, lowestTrust, trustOfMessage } from '../../domain/trust.ts'

/** One thing in a window: a message, or a fold that stands for some. */
export type Entry =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'fold'; readonly fold: Fold }

/** What an entry shows to a model. */
export function draftsOf(entry: Entry): readonly Draft[] {
  return entry.type === 'message' ? [entry.message] : entry.fold.standIn
}

export function tokensOf(entry: Entry): number {
  return entry.type === 'message' ? entry.message.tokens : entry.fold.tokens
}

/** Which messages of the log an entry stands for. */
export function entrySources(entry: Entry): readonly SeqRange[] {
  return entry.type === 'fold' ? entry.fold.sources : [{ from: entry.message.seq, through: entry.message.seq }]
}

/** Where an entry stands in the window. */
export function positionOf(entry: Entry): number {
  return entry.type === 'message' ? entry.message.seq : (entry.fold.sources[0]?.from ?? 0)
}

export function totalTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + tokensOf(entry), 0)
}

/** The trust of the least trusted thing in entries. Results of tools have none, whoever's message carries them. */
export function trustOfEntries(entries: readonly Entry[]): Trust {
  return lowestTrust(entries.map(trustOfEntry))
}

export function trustOfEntry(entry: Entry): Trust {
  if (entry.type === 'fold') return lowestTrust([entry.fold.trust])
  return entry.message.parts.some(({ type }) => type === 'tool-result') ? 0 : trustOfMessage(entry.message)
}

export function tagsOf(entry: Entry): readonly string[] {
  return entry.type === 'fold' ? entry.fold.tags : (entry.message.tags ?? [])
}

/** Names of the tools that are called or answer in it. */
export function toolsOf(entry: Entry): readonly string[] {
  if (entry.type === 'fold') return entry.fold.tools
  return entry.message.parts.flatMap((part) =>
    (part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined ? [part.name] : [],
  )
}
