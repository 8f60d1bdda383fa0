import type { ContextReceipt, LeftOutLine, Omission, PlacementReason, ReceiptLine } from '../../api/contexts.ts'
import type { Assembly } from './assemble.ts'
import type { AssembleRequest } from './context.ts'
import type { Draft } from '../../domain/message.ts'
import { hasExactMedia } from '../../tokens/media-tokens.ts'
import { type Entry, draftsOf, positionOf, trustOfEntry } from '../window/entry.ts'
import { messagePointer, messagesPointer, referencedMessage } from '../in-part/message-pointer.ts'

export interface ReceiptRequest {
  readonly assembly: Assembly
  readonly weight: (entry: Entry) => number
  readonly changes: readonly { readonly message: string }[]
  readonly tokens: number
  /** What is in no line: the caller's own instructions, blocks, what was recalled, the plan. */
  readonly ownTokens: {
    readonly system: number
    readonly blocks: number
    readonly recalled: number
    readonly plan: number
  }
  readonly terms: AssembleRequest
  readonly bytes: number
}

export function contextReceipt({
  assembly,
  weight,
  changes,
  tokens,
  ownTokens,
  terms,
  bytes,
}: ReceiptRequest): ContextReceipt {
  const isExact = (draft: Draft): boolean => hasExactMedia(draft, terms.scale.media)
  const kept = assembly.kept.flatMap(({ unit, as }) => unit.entries.map((entry) => ({ entry, as })))
  const lines: ReceiptLine[] = [
    ...kept.map(({ entry, as }): ReceiptLine =>
      entry.type === 'fold'
        ? {
            type: 'folded',
            sources: entry.fold.sources,
            fold: entry.fold.id,
            trust: trustOfEntry(entry),
            why: referencedMessage(entry.fold.id) === undefined ? 'compacted' : 'too-large',
            tokens: weight(entry),
          }
        : {
            type: 'kept',
            seq: entry.message.seq,
            id: entry.message.id,
            as: reasonOf(terms, entry.message.id, as),
            tokens: weight(entry),
          },
    ),
    ...leftLines(assembly, weight),
    ...(terms.planOmitted === true
      ? [{ type: 'left-out', sources: [], why: 'plan-over-budget', tokens: 0 } as const]
      : []),
  ]
  const sum = (kind: Kind): number =>
    kept.reduce((total, { entry, as }) => (kindOf(entry, as) === kind ? total + weight(entry) : total), 0)
  const kinds = {
    system: sum('system') + ownTokens.system,
    pinned: sum('pinned'),
    folds: sum('folds'),
    messages: sum('messages'),
  }
  const { blocks, recalled, plan } = ownTokens
  const counted = kinds.system + kinds.pinned + kinds.folds + kinds.messages + blocks + recalled + plan
  return {
    lines,
    blocks: terms.blocks.map(({ line }) => line),
    tokens: {
      total: tokens,
      budget: terms.budget,
      reserve: terms.reserve,
      ...kinds,
      blocks,
      recalled,
      plan,
      framing: tokens - counted,
      exact: terms.scale.exact && kept.every(({ entry }) => draftsOf(entry).every(isExact)),
    },
    bytes,
    repairs: changes.map((change) => change.message),
  }
}

/** One line for each fold, and for each stretch of messages without a gap: a long session has few of them. */
function leftLines({ left }: Assembly, weight: (entry: Entry) => number): readonly LeftOutLine[] {
  const entries: { readonly entry: Entry; readonly why: Omission; readonly at: number }[] = []
  for (const { unit, why } of left)
    for (const entry of unit.entries) entries.push({ entry, why, at: positionOf(entry) })
  const lines: LeftOutLine[] = []
  let run: { first: number; last: number; why: Omission; tokens: number } | undefined
  const end = (): void => {
    if (run === undefined) return
    const sources = [{ from: run.first, through: run.last }]
    const id = run.first === run.last ? messagePointer(run.first) : messagesPointer({ sources })
    lines.push({ type: 'left-out', sources, id, why: run.why, tokens: run.tokens })
    run = undefined
  }
  for (const { entry, why, at } of inOrder(entries)) {
    const isNext = entry.type === 'message' && run?.why === why && run.last + 1 === at
    if (!isNext) end()
    if (entry.type === 'fold')
      lines.push({ type: 'left-out', sources: entry.fold.sources, id: entry.fold.id, why, tokens: weight(entry) })
    else run = { first: run?.first ?? at, last: at, why, tokens: (run?.tokens ?? 0) + weight(entry) }
  }
  end()
  return lines
}

/** By position. They nearly always are already. */
function inOrder<One extends { readonly at: number }>(entries: readonly One[]): readonly One[] {
  const isSorted = entries.every(({ at }, index) => index === 0 || (entries[index - 1]?.at ?? 0) <= at)
  return isSorted ? entries : entries.toSorted((a, b) => a.at - b.at)
}

/** What is pinned because it is important says so. */
function reasonOf({ important }: AssembleRequest, id: string, as: PlacementReason): PlacementReason {
  return as === 'pinned' && important?.has(id) === true ? 'important' : as
}

type Kind = 'system' | 'pinned' | 'folds' | 'messages'

function kindOf(entry: Entry, as: PlacementReason): Kind {
  if (as === 'system' || as === 'pinned') return as
  return entry.type === 'fold' ? 'folds' : 'messages'
}
