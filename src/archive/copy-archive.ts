import { createHash } from 'node:crypto'
import type { Copied, CopyProgress } from '../api/archive.ts'
import { MemoryError } from '../domain/error.ts'
import { sameBytes } from '../log/chain.ts'
import { type ArchivedStore, exportArchive } from './export-archive.ts'
import { importArchive } from './import-archive.ts'
import { readLines } from './read-lines.ts'

const SESSIONS_PER_PAGE = 500

/**
 * Puts everything that an archive holds from one store into another, with no file in between, and compares the archives of
 * both at the end. The source is only read. If it is interrupted, it resumes when it is called again.
 *
 * @throws {MemoryError} `archive/conflict` if the target has something else, or the source was written to meanwhile.
 */
export async function copyArchive(
  from: ArchivedStore,
  to: ArchivedStore,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<Copied> {
  await refuseOthers(from, to)
  const copied = createHash('sha256')
  const imported = await importArchive(to, overheard(exportArchive(from), copied), {
    onProgress: ({ records, bytes }) => onProgress({ stage: 'copy', records, bytes }),
  })
  const [there, here] = await Promise.all([
    digestOf(to, ({ records, bytes }) => onProgress({ stage: 'check', records, bytes })),
    digestOf(from),
  ])
  if (there === here) return { ...imported, sha256: there }
  throw there === copied.digest('hex') ? grown() : await differing(from, to)
}

/** Nothing is stored where something else is: two memories in one would be none. */
async function refuseOthers(from: ArchivedStore, to: ArchivedStore): Promise<void> {
  for (let after = 0; ;) {
    const page = await to.archive.sessions(null, { after, through: Number.MAX_SAFE_INTEGER, limit: SESSIONS_PER_PAGE })
    for (const { scope, name } of page) {
      const [there, here] = await Promise.all([to.log.session(scope, name), from.log.session(scope, name)])
      if (there === undefined || (here !== undefined && sameBytes(there.genesis, here.genesis))) continue
      throw new MemoryError(
        'archive/conflict',
        `Cannot move a memory: the target has a session ${JSON.stringify(name)} in ${JSON.stringify(scope)} that does not come from the source. Move to an empty target, or to one with an interrupted move of the same source`,
        { scope, session: name },
      )
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.key
  }
}

async function* overheard(pieces: AsyncIterable<string>, hash: ReturnType<typeof createHash>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

async function digestOf(
  store: ArchivedStore,
  onProgress: (progress: { readonly records: number; readonly bytes: number }) => void = () => undefined,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of exportArchive(store, { onProgress })) hash.update(piece)
  return hash.digest('hex')
}

function grown(): MemoryError {
  return new MemoryError(
    'archive/conflict',
    'Cannot finish the move: the source has changed during the move. Stop the programs that write to it, then repeat the call to move the rest',
    {},
  )
}

async function differing(from: ArchivedStore, to: ArchivedStore): Promise<MemoryError> {
  const found = await firstDifference(exportArchive(from), exportArchive(to))
  return new MemoryError(
    'archive/conflict',
    `Cannot finish the move: record ${found.line} is ${found.source ?? 'missing'} in the source and ${found.target ?? 'missing'} in the target, expected the same; somebody wrote to the target, or the source changed after an earlier move was interrupted: move to an empty target`,
    found,
  )
}

interface Difference extends Record<string, unknown> {
  readonly line: number
  /** Kinds of the records. */
  readonly source: string | undefined
  readonly target: string | undefined
}

async function firstDifference(source: AsyncGenerator<string>, target: AsyncGenerator<string>): Promise<Difference> {
  const [one, other] = [readLines(source), readLines(target)]
  for (let line = 1; ; line++) {
    const [left, right] = await Promise.all([one.next(), other.next()])
    const [here, there] = [left, right].map(({ done, value }) =>
      done === true || value === undefined ? undefined : Buffer.from(value.bytes).toString('utf8'),
    )
    if (here === there && here !== undefined) continue
    await Promise.all([source.return(undefined), target.return(undefined)])
    return { line, source: kindOf(here), target: kindOf(there) }
  }
}

function kindOf(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /"kind":"([a-z-]+)"/.exec(line)?.[1]
}
