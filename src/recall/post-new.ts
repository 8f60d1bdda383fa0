import { scan } from '../log/scan.ts'
import { passagesInTurns } from './passages-in-turns.ts'
import type { Poster } from './poster.ts'
import type { PostingSteps } from './posting-steps.ts'

const MESSAGES_IN_FIRST_PAGE = 256

/** Messages that were never posted, as they stand now. A fork's inherited history is its parent's to post. */
export async function postNew(steps: PostingSteps, poster: Poster): Promise<void> {
  const { index, view } = poster
  const from = Math.max(poster.posted.seq + 1, view.segments.at(-1)?.from ?? 1)
  for await (const message of scan(index.log, view, {
    from,
    through: view.lastSeq,
    newestFirst: false,
    withRemoved: false,
    hint: MESSAGES_IN_FIRST_PAGE,
  })) {
    if (poster.isOvertaken) return
    const passages = await passagesInTurns(index.analyser, message)
    if (passages.length > 0) await steps.add(poster, passages, message.seq)
  }
}
