import type { CopyProgress } from '../api/archive.ts'
import type { Say } from './progress.ts'
import { counted } from './render/layout.ts'

/**
 * Says how far a move is. Both sides are compared at the end: by then it is known how many records there are.
 *
 * @param expected About how many records the source has; 0 if that is not known.
 */
export function moveProgress(say: Say, expected: number): (progress: CopyProgress) => void {
  let copied = 0
  return ({ stage, records: done }) => {
    if (stage === 'copy') copied = done
    const total = stage === 'copy' ? expected : copied
    say(
      `${stage === 'copy' ? 'Moving' : 'Comparing'}: ${counted(done, 'record')}`,
      done < total ? { done, total, unit: 'records' } : undefined,
    )
  }
}
