import type { Job } from '../domain/job.ts'
import type { Jobs, JobsOptions } from '../memory/jobs.ts'
import type { Transport } from './transport.ts'

/** Background work behind a server. */
export function remoteJobs(transport: Transport): Jobs {
  return {
    list: async (options: JobsOptions = {}) =>
      (await transport.call<{ jobs: readonly Job[] }>('jobs.list', { query: options })).jobs,
    retry: (job) => transport.call('jobs.retry', { names: { job } }),
    cancel: (job) => transport.call('jobs.cancel', { names: { job } }),
  }
}
