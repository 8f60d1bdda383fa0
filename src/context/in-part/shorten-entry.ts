import type { Fold } from '../../domain/fold.ts'
import type { Draft, Message } from '../../domain/message.ts'
import { type Ledger, ledgerInTurns } from '../summary/ledger.ts'
import { type Entry, toolsOf, trustOfEntry } from '../window/entry.ts'
import { messagePointer } from './message-pointer.ts'

const NO_LEDGER: Ledger = { identifiers: [], omitted: 0 }

/** A message that is shown in part, as an entry of a window. */
export async function shortenedEntry(
  message: Message,
  standIn: Draft,
  { tokens, tokenizer }: Pick<Fold, 'tokens' | 'tokenizer'>,
  ledger: 'with-ledger' | 'without',
): Promise<Entry> {
  const { identifiers, omitted } =
    ledger === 'without' ? NO_LEDGER : await ledgerInTurns([{ type: 'message', message }])
  return {
    type: 'fold',
    fold: {
      id: messagePointer(message.seq),
      kind: 'truncate',
      sources: [{ from: message.seq, through: message.seq }],
      messages: 1,
      standIn: [standIn],
      tokens,
      tokenizer,
      level: 0,
      trust: trustOfEntry({ type: 'message', message }),
      by: 'rule',
      answeredAt: message.role === 'assistant' ? message.seq : 0,
      firstAt: message.at,
      lastAt: message.at,
      ledger: identifiers,
      omitted,
      tags: message.tags ?? [],
      tools: [...new Set(toolsOf({ type: 'message', message }))].toSorted(),
    },
  }
}
