import { type MessagePort, workerData } from 'node:worker_threads'
import { driverFor } from './driver.ts'

const { file, copy, key, answer } = workerData as {
  readonly file: string
  readonly key: Uint8Array | undefined
  readonly copy: string
  readonly answer: MessagePort
}
const database = (await driverFor(key)).open(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
try {
  // One read transaction: a copy of one moment, which writers neither see nor disturb. SQLite's own backup would begin
  // again whenever another process writes. Free pages are not copied, nor is what was once in them.
  database.prepare('VACUUM INTO ?').run(copy)
  answer.postMessage('copied', [])
} finally {
  database.close()
}
