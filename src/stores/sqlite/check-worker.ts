import { type MessagePort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { problemsOf } from './check-file.ts'

const { file, answer } = workerData as { readonly file: string; readonly answer: MessagePort }
const database = new BetterSqlite(file, { fileMustExist: true, timeout: 10_000 })
try {
  answer.postMessage(problemsOf(database), [])
} finally {
  database.close()
}
