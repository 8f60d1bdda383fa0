import { workerData } from 'node:worker_threads'
import { driverFor } from './driver.ts'

const { file, key } = workerData as { readonly file: string; readonly key: Uint8Array | undefined }
const database = (await driverFor(key)).open(file, { fileMustExist: true, timeout: 15_000 })
try {
  database.pragma('secure_delete = ON')
  database.pragma('synchronous = FULL')
  // It writes a copy of everything to a temporary file first, and that is never encrypted.
  if (key !== undefined) database.pragma('temp_store = MEMORY')
  database.exec('VACUUM')
} finally {
  database.close()
}
