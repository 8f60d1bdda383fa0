import type { Message } from '../domain/message.ts'
import { scan } from '../log/scan.ts'
import type { NewPassage } from '../ports/recall-store.ts'
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
    await postMessage(steps, poster, message)
  }
}

/** A long message in several steps. The cursor says how far it is posted, so that a crash in between loses and doubles nothing. */
async function postMessage(steps: PostingSteps, poster: Poster, message: Message): Promise<void> {
  const { recall, analyser } = poster.index
  let add: NewPassage[] = []
  let postings = 0
  for await (const passage of passagesInTurns(analyser, message)) {
    if (poster.isOvertaken) return
    if (passage.place <= poster.resumeAfter) continue
    const last = add.at(-1)
    if (last !== undefined && postings + passage.terms.length > recall.postingsPerChange) {
      await steps.add(poster, add, { unfinished: last.place })
      add = []
      postings = 0
    }
    add.push(passage)
    postings += passage.terms.length
  }
  if (add.length > 0) await steps.add(poster, add, { seq: message.seq, unfinished: 0 })
}
