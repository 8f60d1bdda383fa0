import type { RecallStore, ThreadChange } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { cutPassages } from './passage.ts'
import { placeOf, threadOf } from './place.ts'
import { newPassage } from './message-passages.ts'
import type { FactToPost } from './sources.ts'

/**
 * Posts facts of a scope into the index, replacing what stood under the same ids. The cursor `through` moves in the same
 * transaction; answers false when somebody else moved it meanwhile.
 */
export async function postFacts(
  { recall, analyser }: { readonly recall: RecallStore; readonly analyser: Analyser },
  scope: string,
  facts: readonly FactToPost[],
  cursor: { readonly after: number; readonly through: number; readonly gone?: readonly string[] },
): Promise<boolean> {
  const thread = await factThread(recall, scope)
  const [posted] = await recall.threads([scope], [thread])
  if ((posted?.version ?? 0) !== cursor.after) return false
  const gone = [...new Set([...facts.map(({ id }) => id), ...(cursor.gone ?? [])])]
  let last = posted?.seq ?? 0
  const change: ThreadChange = {
    thread,
    expected: posted ?? null,
    next: { version: cursor.through, seq: last + facts.length },
    remove: [],
    removeReferences: gone,
    posted: [],
    unposted: [],
    add: facts.flatMap(({ id, text, trust, at }) => {
      last += 1
      const seq = last
      return cutPassages(analyser, text).map((passage, index) =>
        newPassage(passage, { place: placeOf(seq, index), reference: id, speaker: '', role: trust, at }),
      )
    }),
  }
  return (await recall.change({ scope, kind: 'fact', threads: [change] }))[0] === true
}

/** Takes facts out of the index at once. */
export async function unpostFacts(
  index: { readonly recall: RecallStore; readonly analyser: Analyser },
  scope: string,
  ids: readonly string[],
): Promise<void> {
  for (;;) {
    const [posted] = await index.recall.threads([scope], [await factThread(index.recall, scope)])
    const version = posted?.version ?? 0
    if (await postFacts(index, scope, [], { after: version, through: version, gone: ids })) return
  }
}

/** A scope's facts are one thread, numbered by their shelf. */
export async function factThread(recall: RecallStore, scope: string): Promise<number> {
  return threadOf('fact', await recall.shelf(scope, 'fact'))
}
