import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { AmendmentRow, MessageRow } from '../ports/log-store.ts'
import { type Body, readBody } from './body.ts'
import { digestMessage, sameBytes } from './chain.ts'
import { isSound } from './forgotten.ts'

/**
 * A message as it stands after its amendments (oldest first; those of other messages are passed over).
 *
 * @throws {MemoryError} `store/corrupt` if a stored byte changed: a damaged message is never given back as good.
 */
export function messageFromRow(row: MessageRow, amendments: readonly AmendmentRow[]): Message {
  if (amendments.length === 0) {
    if (!sameBytes(digestMessage(row), row.digest)) throw damaged(row)
    return freshMessage(row, readBody(row.body))
  }
  const revisions = amendments.filter((amendment) => amendment.kind === 'revise' && amendment.seq === row.seq)
  const sound = sameBytes(digestMessage(row), row.digest) && revisions.every(isSound)
  if (!sound) throw damaged(row)
  const current = revisions.at(-1) ?? row
  const message = {
    ...freshMessage(row, readBody(current.body)),
    tokens: current.tokens,
    tokenizer: current.counter,
    revision: revisions.length,
  }
  return amendments.some((amendment) => covers(amendment, row)) ? { ...message, removed: true } : message
}

/** The same for a row that was just made: its body is at hand and there is nothing to check. */
export function freshMessage(row: MessageRow, body: Body): Message {
  const { id, seq, role, tokens, counter: tokenizer } = row
  return { id, seq, role, ...body, at: new Date(row.at).toISOString(), tokens, tokenizer, revision: 0 }
}

/** Whether an amendment takes this message out of the window. */
function covers(amendment: Pick<AmendmentRow, 'kind' | 'seq'>, row: Pick<MessageRow, 'seq' | 'role'>): boolean {
  switch (amendment.kind) {
    case 'revise':
    case 'compact':
    case 'undo':
    case 'forget':
      return false
    case 'remove':
      return amendment.seq === row.seq
    case 'clear':
      return amendment.seq >= row.seq
    case 'clear-keeping-system':
      return amendment.seq >= row.seq && row.role !== 'system'
  }
}

function damaged(row: MessageRow): MemoryError {
  return new MemoryError(
    'store/corrupt',
    `Cannot read message ${row.seq}: its stored bytes are not those that were written, run verify() and restore from a backup`,
    {
      seq: row.seq,
      id: row.id,
    },
  )
}
