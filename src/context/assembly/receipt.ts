import type { Assembly, Omission, PlacementReason } from './assemble.ts'
import type { AssembleRequest } from './context.ts'
import { type Entry, entrySources, trustOfEntry } from '../window/entry.ts'
import type { SeqRange } from '../../domain/fold.ts'
import type { Trust } from '../../domain/trust.ts'

/** What became of one entry of the window. */
export type ReceiptLine =
  | {
      readonly type: 'kept'
      readonly seq: number
      readonly id: string
      readonly as: PlacementReason
      readonly tokens: number
    }
  | {
      readonly type: 'folded'
      readonly sources: readonly SeqRange[]
      readonly fold: string
      /** Of the least trusted thing it hides. */
      readonly trust: Trust
      readonly tokens: number
    }
  | {
      readonly type: 'left-out'
      readonly sources: readonly SeqRange[]
      readonly why: Omission
      readonly tokens: number
    }

/** What a context is made of, in tokens and identifiers: every message of the session is in exactly one line. */
export interface ContextReceipt {
  readonly lines: readonly ReceiptLine[]
  readonly tokens: {
    /** What the request will cost at the most, as far as this context goes. */
    readonly total: number
    readonly budget: number
    readonly reserve: number
    readonly system: number
    readonly pinned: number
    readonly folds: number
    readonly messages: number
    readonly recalled: number
    readonly plan: number
    /**
     * What is none of these: results that close open calls, other repairs (which may also save some), the beginning of the
     * reply, and the margin of an estimate. With it the kinds add up to the total.
     */
    readonly framing: number
    /** Whether the counts are the model's own. */
    readonly exact: boolean
  }
  /** Of the messages in the dialect whose bytes were limited; 0 if none were. */
  readonly bytes: number
  /** What had to be put right so that every provider accepts it. */
  readonly repairs: readonly string[]
}

export interface ReceiptRequest {
  readonly assembly: Assembly
  readonly weights: ReadonlyMap<Entry, number>
  readonly changes: readonly { readonly message: string }[]
  readonly tokens: number
  readonly tailTokens: { readonly recalled: number; readonly plan: number }
  readonly terms: AssembleRequest
  readonly bytes: number
}

export function contextReceipt({
  assembly,
  weights,
  changes,
  tokens,
  tailTokens,
  terms,
  bytes,
}: ReceiptRequest): ContextReceipt {
  const weight = (entry: Entry): number => weights.get(entry) ?? 0
  const kept = assembly.kept.flatMap(({ unit, as }) => unit.entries.map((entry) => ({ entry, as })))
  const left = assembly.left.flatMap(({ unit, why }) => unit.entries.map((entry) => ({ entry, why })))
  const lines: ReceiptLine[] = [
    ...kept.map(({ entry, as }): ReceiptLine =>
      entry.type === 'fold'
        ? {
            type: 'folded',
            sources: entry.fold.sources,
            fold: entry.fold.id,
            trust: trustOfEntry(entry),
            tokens: weight(entry),
          }
        : { type: 'kept', seq: entry.message.seq, id: entry.message.id, as, tokens: weight(entry) },
    ),
    ...left.map(({ entry, why }): ReceiptLine => ({
      type: 'left-out',
      sources: entrySources(entry),
      why,
      tokens: weight(entry),
    })),
  ]
  const sum = (kind: Kind): number =>
    kept.reduce((total, { entry, as }) => (kindOf(entry, as) === kind ? total + weight(entry) : total), 0)
  const kinds = { system: sum('system'), pinned: sum('pinned'), folds: sum('folds'), messages: sum('messages') }
  const counted = kinds.system + kinds.pinned + kinds.folds + kinds.messages + tailTokens.recalled + tailTokens.plan
  return {
    lines,
    tokens: {
      total: tokens,
      budget: terms.budget,
      reserve: terms.reserve,
      ...kinds,
      ...tailTokens,
      framing: tokens - counted,
      exact: terms.scale.exact,
    },
    bytes,
    repairs: changes.map((change) => change.message),
  }
}

type Kind = 'system' | 'pinned' | 'folds' | 'messages'

function kindOf(entry: Entry, as: PlacementReason): Kind {
  if (as === 'system' || as === 'pinned') return as
  return entry.type === 'fold' ? 'folds' : 'messages'
}
