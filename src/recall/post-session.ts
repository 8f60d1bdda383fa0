import { liveFolds } from '../context/window/window.ts'
import type { Fold } from '../domain/fold.ts'
import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { Address } from '../log/log.ts'
import { scan } from '../log/scan.ts'
import { type View, changesOf, openView } from '../log/view.ts'
import type { NewPassage, RecallCursor, ThreadChange } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { newPassage } from './message-passages.ts'
import { recallText } from './message-text.ts'
import { cutPassages } from './passage.ts'
import { passagesInTurns } from './passages-in-turns.ts'
import { placeOf, placesOf, threadOf } from './place.ts'
import { postInherited, postToForks } from './post-inherited.ts'
import { postNew } from './post-new.ts'
import { type Index, Poster } from './poster.ts'
import { inSteps } from './posting-steps.ts'

const SEQS_PER_SWEEP = 512

/**
 * Brings the index of one session up to its newest version. Each step moves the cursor in the transaction that writes its
 * rows, so that a crash, or another process at the same work, neither loses a message nor posts it twice.
 */
export async function postSession(index: Index, address: Address): Promise<void> {
  while (!(await postOnce(index, address)));
}

/** Answers false when somebody else moved the cursor meanwhile. */
async function postOnce(index: Index, address: Address): Promise<boolean> {
  const view = await openView(index.log, address)
  if (view === undefined) return true
  const poster = new Poster(index, view)
  const before = await poster.start()
  if ((before?.version ?? -1) >= view.version) return true
  await inSteps(index, address.scope, (steps) => postNew(steps, poster))
  return (
    !poster.isOvertaken &&
    // Once: what the parent changes later, it brings along itself.
    ((before?.version ?? 0) > 0 || (await postInherited(poster))) &&
    (await postChanged(poster, before)) &&
    poster.finish()
  )
}

/** What was revised, removed, cleared or folded since; `before` is the cursor that this run began with. */
async function postChanged(poster: Poster, before: RecallCursor | undefined): Promise<boolean> {
  const { index, view, thread } = poster
  const own = view.segments.at(-1)
  if (own === undefined) return true
  const touched = new Set<number>()
  const cleared = { all: 0, butSystem: 0 }
  let amended = false
  for await (const row of changesOf(index.log, own, view.version, before?.version ?? 0)) {
    amended = true
    // A message posted in this run already stands as it is now; one that a fork inherited is posted once the fork changes it.
    if (row.kind === 'revise' || row.kind === 'remove') touched.add(row.seq)
    if (row.kind === 'clear') cleared.all = Math.max(cleared.all, row.seq)
    if (row.kind === 'clear-keeping-system') cleared.butSystem = Math.max(cleared.butSystem, row.seq)
  }
  if (!amended) return true
  // Before this session lets go of them: a crash in between posts them again, not never.
  if ((touched.size > 0 || cleared.all + cleared.butSystem > 0) && !(await postToForks(poster))) return false
  for (const seq of touched) {
    const add: NewPassage[] = []
    for await (const message of scan(index.log, view, {
      from: seq,
      through: seq,
      newestFirst: false,
      withRemoved: false,
    }))
      if (seq >= own.from || message.revision > 0)
        for await (const passage of passagesInTurns(index.analyser, message)) add.push(passage)
    const old = await index.recall.passages([view.session.scope], { thread, ...placesOf(seq, seq) })
    if (!(await poster.remove(old)) || !(await poster.replace(add))) return false
  }
  for (let from = 0; from <= Math.max(cleared.all, cleared.butSystem); from += SEQS_PER_SWEEP) {
    const range = placesOf(from, from + SEQS_PER_SWEEP - 1)
    const rows = await index.recall.passages([view.session.scope], { thread, ...range })
    const gone = rows.filter(
      ({ place, role }) =>
        place <= placesOf(0, cleared.all).through ||
        (place <= placesOf(0, cleared.butSystem).through && role !== TRUST_OF_ROLE.system),
    )
    if (!(await poster.remove(gone))) return false
  }
  return postFolds(index, view)
}

/** The summaries in the window of this session. Few and rewritten as a whole: a compaction replaces them all. */
async function postFolds({ log, recall, analyser }: Index, view: View): Promise<boolean> {
  const thread = threadOf('fold', view.session.key)
  const folds = (await liveFolds(log, view)).filter(({ kind }) => kind === 'summary' || kind === 'merge')
  const { scope } = view.session
  const change: ThreadChange = {
    thread,
    expected: (await recall.threads([scope], [thread]))[0] ?? null,
    next: { version: view.version, seq: 0 },
    remove: [placesOf(0, Number.MAX_SAFE_INTEGER / 2 ** 21)],
    add: folds.flatMap((fold) => foldPassages(analyser, fold)),
    posted: [],
    unposted: [],
  }
  return (await recall.change({ scope, kind: 'fold', threads: [change] }))[0] === true
}

function foldPassages(analyser: Analyser, fold: Fold): readonly NewPassage[] {
  const text = fold.standIn.map((draft) => recallText(draft).text).join('\n')
  const at = Date.parse(fold.lastAt)
  return cutPassages(analyser, text).map((passage, index) =>
    newPassage(passage, {
      place: placeOf(fold.sources[0]?.from ?? 0, index),
      reference: fold.id,
      speaker: '',
      role: TRUST_OF_ROLE.assistant,
      at,
    }),
  )
}
