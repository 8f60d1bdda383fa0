import type { Fold } from '../../../src/domain/fold.ts'
import type { Draft, Message, Role } from '../../../src/domain/message.ts'
import type { Part, ToolOutput, ToolResultPart } from '../../../src/domain/part.ts'
import { countMessage } from '../../../src/tokens/count-message.ts'
import { estimator } from '../../../src/tokens/estimate.ts'
import {
  type Entry,
  draftsOf,
  positionOf,
  entrySources,
  totalTokens,
  trustOfEntries,
} from '../../../src/context/window/entry.ts'
import { ledgerOf } from '../../../src/context/summary/ledger.ts'
import { messagesIn, withFoldId } from '../../../src/context/summary/marker.ts'
import { joinRanges } from '../../../src/context/window/ranges.ts'
import type { ProposedFold, StageInput } from '../../../src/context/compaction/stage.ts'

const START = Date.parse('2026-01-01T10:00:00.000Z')

/** Messages in order, a minute apart, counted by the estimate unless `tokens` says otherwise. */
export function windowOf(drafts: readonly (Draft & { readonly tokens?: number })[]): readonly Entry[] {
  return drafts.map((draft, index) => ({ type: 'message', message: messageOf(draft, index + 1) }))
}

export function messageOf({ tokens, ...draft }: Draft & { readonly tokens?: number }, seq: number): Message {
  return {
    id: `m${seq}`,
    at: new Date(START + (seq - 1) * 60_000).toISOString(),
    ...draft,
    seq,
    tokens: tokens ?? tokensOfDraft(draft),
    tokenizer: 'estimate-2',
    revision: 0,
  }
}

export function user(text: string): Draft {
  return say('user', text)
}

export function assistant(text: string): Draft {
  return say('assistant', text)
}

export function say(role: Role, text: string): Draft {
  return { role, parts: [{ type: 'text', text }] }
}

/** An assistant's message with calls: `call(['c1', 'read_file', { path: 'a.ts' }])`. */
export function call(...calls: readonly (readonly [id: string, name: string, given: object | string])[]): Draft {
  const parts = calls.map(([id, name, given]): Part => {
    return { type: 'tool-call', id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
  })
  return { role: 'assistant', parts }
}

export function result(id: string, output: string | ToolOutput, more: Partial<ToolResultPart> = {}): Draft {
  return { role: 'tool', parts: [resultPart(id, output, more)] }
}

export function resultPart(
  id: string,
  output: string | ToolOutput,
  more: Partial<ToolResultPart> = {},
): ToolResultPart {
  const written: ToolOutput = typeof output === 'string' ? { type: 'text', text: output } : output
  return { type: 'tool-result', callId: id, output: written, ...more }
}

/** A call and its result, `n` times: 2n messages. */
export function toolRounds(n: number, characters = 400, from = 0): readonly Draft[] {
  return Array.from({ length: n }, (_, index) => {
    const id = `t${from + index}`
    return [
      call([id, 'read_file', { path: `src/file${from + index}.ts` }]),
      result(id, `line of file ${from + index} `.repeat(Math.ceil(characters / 16)).slice(0, characters), {
        name: 'read_file',
      }),
    ]
  }).flat()
}

/** What the runner hands to a stage: system messages, the newest user message and unanswered results are off limits. */
export function inputOf(entries: readonly Entry[], more: Partial<StageInput> = {}): StageInput {
  const untouchable = new Set<number>()
  for (const entry of entries)
    if (entry.type === 'message' && entry.message.role === 'system') untouchable.add(positionOf(entry))
  const newest = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'user')
  if (newest !== undefined) untouchable.add(positionOf(newest))
  const target = more.target ?? Math.floor(totalTokens(entries) / 2)
  return { entries, untouchable, tokens: totalTokens(entries), limit: target, ...more, target }
}

/** What the runner does with proposals, told simply: the window after them. */
export function applied(entries: readonly Entry[], proposals: readonly ProposedFold[]): readonly Entry[] {
  const hidden = new Set(proposals.flatMap((proposal) => proposal.entries))
  const folds = proposals.map((proposal, index): Entry => ({ type: 'fold', fold: foldOf(proposal, `fold-${index}`) }))
  return [...entries.filter((entry) => !hidden.has(entry)), ...folds].toSorted((a, b) => positionOf(a) - positionOf(b))
}

export function foldOf({ kind, entries, standIn, by }: ProposedFold, id: string): Fold {
  const times = entries
    .flatMap((entry) => (entry.type === 'fold' ? [entry.fold.firstAt, entry.fold.lastAt] : [entry.message.at]))
    .toSorted()
  const levels = entries.map((entry) => (entry.type === 'fold' ? entry.fold.level + 1 : 0))
  return {
    id,
    kind,
    sources: joinRanges(entries.flatMap(entrySources)),
    messages: messagesIn(entries),
    standIn: withFoldId(standIn, id),
    tokens: standIn.reduce((sum, draft) => sum + tokensOfDraft(draft), 0),
    tokenizer: 'estimate-2',
    answeredAt: 0,
    omitted: 0,
    tags: [],
    tools: [],
    level: Math.max(0, ...levels),
    trust: trustOfEntries(entries),
    by,
    firstAt: times[0] ?? '',
    lastAt: times.at(-1) ?? '',
    ledger: ledgerOf(entries).identifiers,
  }
}

function tokensOfDraft(draft: Draft): number {
  const counted = countMessage(estimator(), draft)
  return typeof counted === 'number' ? counted : estimator().count(JSON.stringify(draft.parts)) + 3
}

/** Sequence numbers of the messages that each proposal hides. */
export function seqsOf(proposals: readonly ProposedFold[]): readonly (readonly number[])[] {
  return proposals.map(({ entries }) => entries.map(positionOf))
}

/** The text that a stand-in shows. */
export function textOf(drafts: readonly Draft[] | undefined): string {
  return (drafts ?? [])
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

export function shownIn(entries: readonly Entry[]): string {
  return textOf(entries.flatMap(draftsOf))
}
