import type { AmendmentRow, MessageRow } from '../../ports/log-store.ts'

/** A message in the order of its columns, after those of its owner. */
export function messageValues(row: MessageRow): readonly unknown[] {
  const { seq, version, id, role, at, recordedAt, tokens, counter, salt, digest, chain, body } = row
  return [seq, version, id, role, at, recordedAt, tokens, counter, salt, digest, chain, body]
}

/** An amendment likewise. */
export function amendmentValues(row: AmendmentRow): readonly unknown[] {
  const { version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body } = row
  return [version, kind, seq, recordedAt, tokens, counter, salt, digest, chain, body]
}
