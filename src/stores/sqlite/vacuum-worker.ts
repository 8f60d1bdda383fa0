import { workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'

const { file } = workerData as { readonly file: string }
const database = new BetterSqlite(file, { fileMustExist: true, timeout: 15_000 })
try {
  database.pragma('secure_delete = ON')
  database.pragma('synchronous = FULL')
  database.exec('VACUUM')
} finally {
  database.close()
}
