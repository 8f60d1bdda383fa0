import { defined } from '../../domain/defined.ts'
import type { RecordChange, RecordInfo, Records } from '../../api/records.ts'
import { MemoryError } from '../../domain/error.ts'
import { directoriesAbove, memoryPath } from './memory-path.ts'

const PAGE = 1_000
const ATTEMPTS_MAX = 8

/** A file with its text and version, or a directory. */
export type MemoryNode = { readonly directory: true } | { readonly text: string; readonly version: number }

/** Files and directories as records: a file under its key, a directory under its key and a slash. */
export class MemoryTree {
  readonly #records: Records

  constructor(records: Records) {
    this.#records = records
  }

  /**
   * Reads what is at a key.
   *
   * @throws {Error} if something above it is a file. The text is the same as Node's.
   */
  async read(key: string): Promise<MemoryNode | undefined> {
    if (key === '') return { directory: true }
    for (const above of directoriesAbove(key))
      if (await this.#isFile(above)) throw new Error(`ENOTDIR: not a directory, realpath '${memoryPath(key)}'`)
    const found = await this.#records.get(key)
    if (found !== undefined) return { text: new TextDecoder().decode(found.data), version: found.version }
    return (await this.#records.list({ prefix: `${key}/`, limit: 1 })).length > 0 ? { directory: true } : undefined
  }

  /** Everything below a directory, in the order of the keys. */
  async below(key: string): Promise<readonly RecordInfo[]> {
    const prefix = key === '' ? '' : `${key}/`
    const all: RecordInfo[] = []
    for (;;) {
      const last = all.at(-1)
      const page = await this.#records.list({
        prefix,
        limit: PAGE,
        ...defined({ after: last?.key }),
      })
      all.push(...page)
      if (page.length < PAGE) return all.filter((record) => record.key !== prefix)
    }
  }

  /** Writes a file over the version that was read; 0 for a new one. */
  async write(key: string, text: string, expect: number): Promise<void> {
    const content = new TextEncoder().encode(text)
    await this.#records.change([...directories(directoriesAbove(key)), { put: key, content, expect }])
  }

  async makeDirectories(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#records.change(directories(keys))
  }

  /** Deletes a file, or a directory with everything below it. */
  async delete(key: string): Promise<void> {
    const gone = [key, `${key}/`, ...(await this.below(key)).map((record) => record.key)]
    await this.#records.change(gone.map((name) => ({ delete: name })))
  }

  /** Moves a file, or a directory with everything below it. */
  async move(from: string, to: string): Promise<void> {
    const changes: RecordChange[] = [...directories(directoriesAbove(to))]
    for (const key of [from, `${from}/`, ...(await this.below(from)).map((record) => record.key)]) {
      const found = await this.#records.get(key)
      if (found === undefined) continue
      const content = found.data ?? null
      changes.push({ put: `${to}${key.slice(from.length)}`, content }, { delete: key, expect: found.version })
    }
    await this.#records.change(changes)
  }

  /** Tries again when somebody else was first. */
  async retrying<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !MemoryError.is(error, 'records/conflict')) throw error
      }
    }
  }

  async #isFile(key: string): Promise<boolean> {
    const [found] = await this.#records.list({ prefix: key, limit: 1 })
    return found?.key === key
  }
}

function directories(keys: readonly string[]): readonly RecordChange[] {
  return keys.map((key) => ({ put: `${key}/`, content: null }))
}
