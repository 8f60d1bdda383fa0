import { scan } from '../log/scan.ts'
import { changesOf, openView } from '../log/view.ts'
import type { NewPassage } from '../ports/recall-store.ts'
import { passagesInTurns } from './passages-in-turns.ts'
import { placesOf } from './place.ts'
import { Poster } from './poster.ts'

const SEQS_PER_STEP = 64

/** Positions that the parent of a fork shows otherwise, or no longer, than the fork that shares them. */
interface Parted {
  readonly seqs: ReadonlySet<number>
  /** All up to here; and all but system messages. */
  readonly cleared: number
  readonly clearedButSystem: number
}

/** A session that changes its history lets its forks post what they still have of it. Answers false when somebody else posted one of them meanwhile. */
export async function postToForks({ index, view }: Poster): Promise<boolean> {
  const { scope, key } = view.session
  for (const session of await index.recall.forks(scope, key)) {
    const fork = await openView(index.log, { scope, session })
    if (fork === undefined) continue
    const poster = new Poster(index, fork)
    await poster.start()
    if (!(await postInherited(poster))) return false
  }
  return true
}

/** What a fork shares with a parent that has changed it since: mostly nothing. What the fork has posted stays as it is. */
export async function postInherited(poster: Poster): Promise<boolean> {
  const { index, view, thread } = poster
  const parted = await partedFrom(poster)
  if (parted === undefined) return true
  const all = Math.max(parted.cleared, parted.clearedButSystem)
  const seqs = [...parted.seqs].filter((seq) => seq > all).toSorted((a, b) => a - b)
  const ranges = [
    ...Array.from({ length: Math.ceil(all / SEQS_PER_STEP) }, (_, step) => ({
      from: step * SEQS_PER_STEP + 1,
      through: Math.min(all, (step + 1) * SEQS_PER_STEP),
    })),
    ...seqs.map((seq) => ({ from: seq, through: seq })),
  ]
  for (const { from, through } of ranges) {
    const rows = await index.recall.passages([view.session.scope], { thread, ...placesOf(from, through) })
    const posted = new Set(rows.map(({ place }) => place))
    const add: NewPassage[] = []
    for await (const message of scan(index.log, view, { from, through, newestFirst: false, withRemoved: false })) {
      const isParted = message.seq <= parted.cleared || message.role !== 'system' || parted.seqs.has(message.seq)
      if (!isParted) continue
      let isPosted: boolean | undefined
      for await (const passage of passagesInTurns(index.analyser, message)) {
        // The first passage of a message is written last.
        isPosted ??= posted.has(passage.place)
        if (isPosted) break
        add.push(passage)
      }
    }
    // The cursor stands still: somebody else may be posting the same at the same time.
    if (!(await poster.replace(add))) return false
  }
  return true
}

async function partedFrom({ index, view }: Poster): Promise<Parted | undefined> {
  const { parent, scope } = view.session
  if (parent === null) return undefined
  const above = await index.log.session(scope, parent.name)
  if (above === undefined || above.version <= parent.throughVersion) return undefined
  const seqs = new Set<number>()
  let [cleared, clearedButSystem] = [0, 0]
  for await (const { kind, seq } of changesOf(index.log, above, above.version, parent.throughVersion)) {
    const shared = Math.min(seq, parent.throughSeq)
    if ((kind === 'revise' || kind === 'remove') && seq <= parent.throughSeq) seqs.add(seq)
    if (kind === 'clear') cleared = Math.max(cleared, shared)
    if (kind === 'clear-keeping-system') clearedButSystem = Math.max(clearedButSystem, shared)
  }
  return { seqs, cleared, clearedButSystem }
}
