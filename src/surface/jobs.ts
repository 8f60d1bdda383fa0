import type { JobsOptions } from '../api/jobs.ts'
import { type Job, jobStates } from '../domain/job.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aJson, aScope, aText, aWholeNumber, anId, anIsoTime, oneOf } from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

export const aJob: Shape<Job> = anObject('Job', {
  id: mustHave(aText, 'Its id'),
  kind: mustHave(aText, 'Which work it is, for example `learn`'),
  scope: mustHave(aText, 'The scope it works for'),
  subject: mustHave(aText, 'What in the scope it is about, for example the id of a session'),
  state: mustHave(oneOf(jobStates), 'Whether it waits, runs, is done, failed or was cancelled'),
  attempts: mustHave(aWholeNumber, 'How often it was started'),
  dueAt: mustHave(anIsoTime, 'When it may start; while it runs, when another process may take it over'),
  error: mayHave(aText, 'Why the last attempt failed'),
  result: mayHave(aJson, 'What it returned'),
  createdAt: mustHave(anIsoTime, 'When it was created'),
  updatedAt: mustHave(anIsoTime, 'When it last changed'),
})

const listOptions = {
  kind: mayHave(anId, 'Only jobs of this kind, for example `learn`'),
  state: mayHave(oneOf(jobStates), 'Only jobs in this state'),
  limit: mayHave(aCount, 'At most this many jobs, up to 1,000', '100'),
  after: mayHave(anId, 'The id of the last job of the page before'),
}

const jobsOptions: Shape<JobsOptions> = anObject('JobsOptions', {
  scope: mayHave(aScope, 'Only jobs of this scope'),
  ...listOptions,
})

const jobsOfScopeOptions: Shape<Omit<JobsOptions, 'scope'>> = anObject<Omit<JobsOptions, 'scope'>>(
  undefined,
  listOptions,
)

const jobs: Shape<{ readonly jobs: readonly Job[] }> = anObject<{ readonly jobs: readonly Job[] }>(undefined, {
  jobs: mustHave(aListOf(aJob), 'The jobs'),
})

const jobId: RequiredField<string> = mustHave(anId, 'The id of the job')

export const jobOperations: Readonly<Record<'inScope' | 'list' | 'retry' | 'cancel', Operation>> = noun('jobs', {
  inScope: {
    help: 'List the background work of a scope, newest first',
    attempt: 'list jobs',
    call: 'jobs.list',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/jobs`,
    options: jobsOfScopeOptions,
    answer: jobs,
    as: 'jobs',
    writes: false,
  },
  list: {
    help: 'List the background work of the whole memory, newest first',
    attempt: 'list jobs',
    call: 'jobs.list',
    can: 'read',
    method: 'get',
    path: '/v1/jobs',
    options: jobsOptions,
    answer: jobs,
    as: 'jobs',
    writes: false,
  },
  retry: {
    help: 'Make a job due now: one that failed, was cancelled or waits for its next attempt',
    attempt: 'retry a job',
    call: 'jobs.retry',
    can: 'admin',
    method: 'post',
    path: '/v1/jobs/{id}/retry',
    takes: { id: jobId },
    answer: aJob,
    writes: true,
    repeat: 'harmless',
  },
  cancel: {
    help: 'Cancel a job that is not done',
    attempt: 'cancel a job',
    call: 'jobs.cancel',
    can: 'admin',
    method: 'post',
    path: '/v1/jobs/{id}/cancel',
    takes: { id: jobId },
    answer: aJob,
    writes: true,
    repeat: 'harmless',
  },
})
