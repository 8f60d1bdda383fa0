import type { Jobs } from '../api/jobs.ts'
import { jobOperations } from '../surface/jobs.ts'
import { remoteHandle } from './remote-handle.ts'
import type { Transport } from './transport.ts'

/** Background work behind a server. */
export function remoteJobs(transport: Transport): Jobs {
  const { list, retry, cancel } = jobOperations
  return remoteHandle<Jobs>(transport, {})({ list, retry, cancel })
}
