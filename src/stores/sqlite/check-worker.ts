import { type MessagePort, workerData } from 'node:worker_threads'
import { fileProblems } from './check-file.ts'
import { driverFor } from './driver.ts'

const { file, key, answer } = workerData as {
  readonly file: string
  readonly key: Uint8Array | undefined
  readonly answer: MessagePort
}
const database = (await driverFor(key)).open(file, { readonly: true, fileMustExist: true, timeout: 10_000 })
try {
  answer.postMessage(fileProblems(database), [])
} finally {
  database.close()
}
