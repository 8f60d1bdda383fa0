import type { StateRow } from '../ports/state-store.ts'
import { type BlockContent, blockContent } from './stored-block.ts'

/** What a block is now, and what it was before its last change that was not taken back; no content if there was no block. */
interface Found {
  readonly now: StateRow
  readonly earlier: BlockContent | undefined
}

/**
 * Finds what an undo brings back. A version that was itself brought back counts as the version that it repeats, so that undoing
 * again goes one step further and never back and forth.
 *
 * @param read The versions before one, newest first.
 */
export async function versionBefore(
  read: (version: number) => Promise<readonly StateRow[]>,
): Promise<Found | undefined> {
  const [now] = await read(Number.MAX_SAFE_INTEGER)
  if (now === undefined) return undefined
  const origin = now.value === null ? now.version : (blockContent(now.value).from ?? now.version)
  const [row] = await read(origin)
  if (row === undefined || row.value === null) return { now, earlier: undefined }
  const content = blockContent(row.value)
  return { now, earlier: { ...content, from: content.from ?? row.version } }
}
