import { readFileSync } from 'node:fs'

/** One call that the shim saw. */
export type DiskCall =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'unlink'; readonly file: string }
  | { readonly kind: 'ack'; readonly file: string }
  | { readonly kind: 'other'; readonly file: string }

const HEADER_BYTES = 16
const kinds = ['other', 'write', 'sync', 'truncate', 'unlink', 'ack'] as const

/** Reads the shim's journal: a header, the file's name, and for a write its bytes. */
export function readJournal(path: string): readonly DiskCall[] {
  const journal = readFileSync(path)
  const calls: DiskCall[] = []
  for (let at = 0; at + HEADER_BYTES <= journal.length;) {
    const kind = kinds[journal.readUInt8(at)] ?? 'other'
    const nameEnd = at + HEADER_BYTES + journal.readUInt8(at + 1)
    const length = journal.readUInt32LE(at + 4)
    const offset = Number(journal.readBigUInt64LE(at + 8))
    const file = journal.toString('latin1', at + HEADER_BYTES, nameEnd)
    at = nameEnd
    if (kind === 'write') {
      calls.push({ kind, file, offset, bytes: journal.subarray(at, at + length) })
      at += length
    } else {
      calls.push(kind === 'truncate' ? { kind, file, length: offset } : ({ kind, file } as DiskCall))
    }
  }
  return calls
}
