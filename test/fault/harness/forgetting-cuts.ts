import { cpSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { Child } from './child.ts'
import { Disk } from './disk.ts'
import { Folder, memoryFolder } from './folder.ts'
import { writeImage } from './image.ts'
import { type DiskCall, readJournal } from './journal.ts'
import { seeded } from './seeded.ts'
import { shimEnvironment } from './shim.ts'

const NAME = 'powercut'

interface Cuts {
  /** Writes to the file that it is given first, and says what it has forgotten. */
  readonly writer: URL
  readonly args: readonly string[]
  readonly count: number
  /** The share of cuts beside a sync; the others are anywhere. */
  readonly besideSyncs: number
}

interface AfterCut {
  /** The memory as the disk had it. */
  readonly file: string
  /** What the writer was told by then to be forgotten, by its numbers. */
  readonly promised: ReadonlySet<number>
}

/** Lets a writer forget, and cuts the power again and again, from its first acknowledged word to its end. */
export async function* forgettingCuts(
  library: string,
  { writer, args, count, besideSyncs }: Cuts,
): AsyncGenerator<AfterCut> {
  const random = seeded()
  using outside = new Folder()
  using folder = new Folder(outside.path, NAME)
  const file = folder.file(`${NAME}.db`)
  const env = shimEnvironment(library, { match: NAME, journal: outside.file('journal') })
  await new Child(writer, [file, ...args], { env }).run()
  const marks = readFileSync(`${file}.mark`, 'utf8').trim().split('\n')
  const calls = readJournal(outside.file('journal')).map((call) =>
    call.file === basename(folder.path) ? { ...call, file: NAME } : call,
  ) as readonly DiskCall[]
  const said = calls.findIndex(({ kind }) => kind === 'ack')
  const near = calls.flatMap((call, index) => (index > said && call.kind === 'sync' ? [index, index + 1] : []))
  const points = Array.from({ length: count }, () =>
    random.chance(besideSyncs) ? random.pick(near) : said + 1 + random.below(calls.length - said),
  ).toSorted((a, b) => a - b)

  const disk = new Disk(NAME)
  const promised = new Set<number>()
  let [at, acks] = [0, 0]
  for (const point of points) {
    for (; at < point; at++) {
      const call = calls[at]
      if (call === undefined) break
      disk.apply(call)
      if (call.kind !== 'ack') continue
      const mark = JSON.parse(marks[acks++] ?? '{}') as { kind: string; number: number }
      if (mark.kind === 'forgot') promised.add(mark.number)
    }
    using image = memoryFolder()
    writeImage(image.path, disk.afterCut(random))
    using copy = memoryFolder()
    cpSync(image.path, copy.path, { recursive: true })
    yield { file: copy.file(`${NAME}.db`), promised }
  }
}
