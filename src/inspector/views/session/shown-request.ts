import type { Context, ContextOptions, ReceiptLine } from '../../../api/contexts.ts'
import type { PolicyName } from '../../../api/policy.ts'
import type { SeqRange } from '../../../domain/fold.ts'
import type { Draft } from '../../../domain/message.ts'
import { endpoints } from '../../data/endpoints.ts'
import { type Reading, useReading } from '../../data/use-reading.ts'
import type { RowFold } from './row-model.ts'

/** A context as the server sends it. */
export type BuiltContext = Omit<Context, 'as'>

/** For what a context is built. */
export interface RequestSettings {
  readonly budget: number
  readonly policy: PolicyName
  readonly recall: boolean
}

/** Builds the next request without storing anything: the server's own code decides, and nothing is compacted. */
export function useNextRequest(
  scope: string,
  session: string,
  { budget, policy, recall }: RequestSettings,
  wanted: boolean,
): Reading<BuiltContext> {
  const body: ContextOptions = { budget, policy, recall, compact: false }
  return useReading<BuiltContext>(wanted ? endpoints.session(scope, session, 'context') : null, { body })
}

/** The folds of a request, with what the model reads in their place. */
export function foldsOf({ receipt, messages }: BuiltContext): readonly RowFold[] {
  return receipt.lines.flatMap((line) =>
    line.type === 'folded'
      ? [
          {
            id: line.fold,
            sources: line.sources,
            messages: countOf(line.sources),
            tokens: line.tokens,
            why: line.why === 'compacted' ? 'compacted' : 'too large, shown in part',
            standIn: messages.filter((draft) => textOf(draft).includes(line.fold)),
          },
        ]
      : [],
  )
}

/** Why a message is not in the request; undefined if it is. */
export function omissionOf({ receipt }: BuiltContext, seq: number): string | undefined {
  const line = receipt.lines.find((each) => each.type === 'left-out' && isIn(each.sources, seq))
  if (line === undefined || line.type !== 'left-out') return undefined
  return line.why === 'over-budget' ? 'did not fit' : line.why === 'unsafe-start' ? 'cannot begin with it' : 'left out'
}

/** How many messages have lines of one type. */
export function messagesOfType(lines: readonly ReceiptLine[], type: ReceiptLine['type']): number {
  return lines
    .filter((line) => line.type === type)
    .reduce((sum, line) => sum + (line.type === 'kept' ? 1 : countOf(line.sources)), 0)
}

function countOf(ranges: readonly SeqRange[]): number {
  return ranges.reduce((sum, { from, through }) => sum + through - from + 1, 0)
}

function isIn(ranges: readonly SeqRange[], seq: number): boolean {
  return ranges.some(({ from, through }) => from <= seq && seq <= through)
}

function textOf({ parts }: Draft): string {
  return parts
    .map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'tool-result' && part.output.type === 'text'
          ? part.output.text
          : part.type === 'tool-call'
            ? part.arguments
            : '',
    )
    .join('\n')
}
