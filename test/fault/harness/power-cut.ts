import { cpSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

import { openMemory } from '../../../src/memory/open-memory.ts'
import type { WriterTask } from '../children/journalled-writer.ts'
import { Child } from './child.ts'
import { Disk } from './disk.ts'
import { Folder, memoryFolder } from './folder.ts'
import { type Facts, gaps, readFacts, writeImage } from './image.ts'
import { type DiskCall, readJournal } from './journal.ts'
import type { Random } from './random.ts'
import { type ShimTask, shimEnvironment } from './shim.ts'

export const JOURNALLED_WRITER: URL = new URL('../children/journalled-writer.ts', import.meta.url)

/** The folder and the file have this in their path, so that the shim also sees syncs of the folder. */
const NAME = 'powercut'
const CUTS_PER_MEMORY = 50

/** A life of a file: every call that reached the disk, what was acknowledged meanwhile, and what it held in the end. */
export interface Recording {
  readonly calls: readonly DiskCall[]
  /** For the i-th acknowledgement, the facts that it promises. */
  readonly acks: readonly (readonly string[])[]
  readonly truth: Facts
  readonly unknown: number
}

export interface CutReport {
  cuts: number
  throughMemory: number
  readonly lost: string[]
  readonly unreadable: string[]
  /** Gaps, changed content, content that was never written. */
  readonly wrong: string[]
}

export async function record(library: string, task: WriterTask, fail?: ShimTask['fail']): Promise<Recording> {
  using outside = new Folder()
  using folder = new Folder(outside.path, NAME)
  const file = folder.file(`${NAME}.db`)
  const env = shimEnvironment(library, {
    match: NAME,
    journal: outside.file('journal'),
    ...(fail === undefined ? {} : { fail }),
  })
  const [last] = await new Child(JOURNALLED_WRITER, [file], { env }).run(task)
  const truth = readFacts(file)
  const marks = readFileSync(`${file}.mark`, 'utf8').trim().split('\n')
  const calls = readJournal(outside.file('journal')).map((call) =>
    call.file === basename(folder.path) ? { ...call, file: NAME } : call,
  )
  const promises = new Promises(truth)
  return {
    calls: calls as readonly DiskCall[],
    acks: marks.map((line) => promises.of(JSON.parse(line) as Mark)),
    truth,
    unknown: (last as { unknown: number }).unknown,
  }
}

interface Mark {
  readonly kind: 'message' | 'revise' | 'remove' | 'clear' | 'fork'
  readonly session: string
  readonly id?: string
}

/** Finds the facts that an acknowledgement promises: rows are never changed, so the end of the life has them all. */
class Promises {
  readonly #truth: Facts
  readonly #places = new Map<string, number>()
  readonly #amendments = new Map<string, string[]>()

  constructor(truth: Facts) {
    this.#truth = truth
    for (const [fact, value] of truth) {
      const [kind = '', place = ''] = fact.split(' ')
      const [session = '', number = ''] = place.split('/')
      if (kind === 'message') this.#places.set(`${session} ${/^(.*?)user\{/.exec(value)?.[1]}`, Number(number))
      if (kind !== 'amendment') continue
      const change = `${session} ${/^(revise|remove)\d+/.exec(value)?.[0] ?? 'clear'}`
      this.#amendments.set(change, [...(this.#amendments.get(change) ?? []), fact])
    }
  }

  of({ kind, session, id }: Mark): readonly string[] {
    if (kind === 'fork') return [`session ${session}`]
    if (kind === 'clear') return this.#amendments.get(`${session} clear`)?.splice(0, 1) ?? ['a clear that is not there']
    const seq = this.#places.get(`${session} ${id}`)
    if (kind !== 'message')
      return this.#amendments.get(`${session} ${kind}${seq}`)?.slice(0, 1) ?? [`a ${kind} of ${id} that is not there`]
    const message = `message ${session}/${seq}`
    const blobs = [...(this.#truth.get(message) ?? '').matchAll(/"hash":"([0-9a-f]{64})"/g)].map(
      ([, hash]) => `blob ${hash}`,
    )
    return [message, ...blobs]
  }
}

/** Where it hurts most: around every sync and every acknowledgement, and anywhere. */
export function cutPoints({ calls }: Recording, count: number, random: Random): readonly number[] {
  const points = calls.flatMap((call, index) =>
    call.kind === 'sync' || call.kind === 'unlink' || call.kind === 'truncate' ? [index, index + 1] : [],
  )
  while (points.length < count) points.push(random.below(calls.length + 1))
  return points.toSorted((a, b) => a - b)
}

/** Cuts the power at each point (in rising order), looks at what is left, and compares it with what was promised. */
export async function cutPower(recording: Recording, points: readonly number[], random: Random): Promise<CutReport> {
  const report: CutReport = { cuts: 0, throughMemory: 0, lost: [], unreadable: [], wrong: [] }
  using folder = memoryFolder()
  const disk = new Disk(NAME)
  const promised = new Set<string>()
  let at = 0
  let acks = 0
  for (const point of points) {
    for (; at < point; at++) {
      const call = recording.calls[at]
      if (call === undefined) break
      disk.apply(call)
      if (call.kind === 'ack') for (const fact of recording.acks[acks++] ?? []) promised.add(fact)
    }
    // Before the first acknowledgement it is the creation of the file that is cut: only a memory can finish that.
    const creating = acks === 0 && recording.unknown === 0
    const throughMemory = creating || report.cuts % CUTS_PER_MEMORY === 0
    writeImage(folder.path, disk.afterCut(random))
    await examine(folder.file(`${NAME}.db`), { recording, promised, throughMemory, point }, report)
    report.cuts += 1
    if (throughMemory) report.throughMemory += 1
  }
  return report
}

interface Examination {
  readonly recording: Recording
  readonly promised: ReadonlySet<string>
  readonly throughMemory: boolean
  readonly point: number
}

async function examine(
  file: string,
  { recording, promised, throughMemory, point }: Examination,
  report: CutReport,
): Promise<void> {
  const place = `after call ${point}`
  try {
    if (throughMemory) await useMemory(file, place, report)
    const found = readFacts(file)
    for (const fact of promised) if (found.get(fact) !== recording.truth.get(fact)) report.lost.push(`${fact} ${place}`)
    // Once a sync has failed, an attempt that was given up may be what survives: nothing was promised about it.
    if (recording.unknown === 0) {
      for (const [fact, value] of found)
        if (recording.truth.get(fact) !== value) report.wrong.push(`${fact} is not what was written, ${place}`)
    }
    report.wrong.push(...gaps(file).map((session) => `session ${session} has a gap ${place}`))
  } catch (error) {
    report.unreadable.push(`${String(error)} ${place}`)
  }
}

/** The file opens, is sound, and can be written again. On a copy: whatever a memory still does after its end, it does there. */
async function useMemory(image: string, place: string, report: CutReport): Promise<void> {
  using folder = memoryFolder()
  cpSync(dirname(image), folder.path, { recursive: true })
  const file = folder.file(basename(image))
  await using memory = await openMemory(file)
  await memory.scope('after').session('after-cut').append({ role: 'user', content: 'power is back' })
  const { ok, file: pages, damage } = await memory.verify()
  if (!ok) report.wrong.push(`verify: ${JSON.stringify({ pages, damage }).slice(0, 300)} ${place}`)
}
