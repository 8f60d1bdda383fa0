import { hash } from 'node:crypto'
import type { Fold } from '../../domain/fold.ts'

/** A fold's name: from what it hides and how, in which session. The same compaction gives the same name; another session's never fits. */
export function foldId(session: Uint8Array, fold: Pick<Fold, 'kind' | 'sources' | 'level'>): string {
  const ranges = fold.sources.map(({ from, through }) => `${from}-${through}`).join(',')
  return `fold-${hash('sha256', `${Buffer.from(session).toString('hex')} ${fold.kind} ${fold.level} ${ranges}`).slice(0, 12)}`
}
