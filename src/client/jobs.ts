import { jobOperations } from '../surface/jobs.ts'
import type { Jobs } from '../api/jobs.ts'
import { remoteMethods } from './call-remote.ts'
import type { Transport } from './transport.ts'

/** Background work behind a server. */
export function remoteJobs(transport: Transport): Jobs {
  const { list, retry, cancel } = jobOperations
  return (remoteMethods(transport, {}, [list, retry, cancel]) as { readonly jobs: Jobs }).jobs
}
