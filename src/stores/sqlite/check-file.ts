import type { Database } from 'better-sqlite3'
import { extname } from 'node:path'
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'

const PROBLEMS_MAX = 100

/** What SQLite itself finds wrong with a file: broken pages, indexes that disagree, rows whose session is gone. */
export function fileProblems(database: Database): readonly string[] {
  const pages = database.pragma(`integrity_check(${PROBLEMS_MAX})`) as { integrity_check: string }[]
  const strays = database.pragma('foreign_key_check') as { table: string; parent: string }[]
  return [
    ...pages.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...strays.slice(0, PROBLEMS_MAX).map((row) => `a row of ${row.table} names a row of ${row.parent} that is missing`),
  ]
}

/** The same in a thread of its own: it reads the whole file, and SQLite cannot be interrupted. */
export function problemsOfFile(file: string, key: Uint8Array | undefined): Promise<readonly string[]> {
  const { port1: answer, port2: port } = new MessageChannel()
  const worker = new Worker(new URL(`./check-worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { file, key, answer: port },
    transferList: [port],
  })
  return new Promise<readonly string[]>((resolve, reject) => {
    worker.once('error', reject)
    // Not before the thread has closed the file: whoever closes it next must be the last to do so.
    worker.once('exit', (code) => {
      const found = receiveMessageOnPort(answer) as { readonly message: readonly string[] } | undefined
      if (found === undefined) reject(new Error(`the check ended with ${code} before it answered`))
      else resolve(found.message)
    })
  }).finally(() => answer.close())
}
