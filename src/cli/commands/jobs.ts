import type { Command } from 'commander'
import type { Job } from '../../domain/job.ts'
import { jobOperations } from '../../surface/jobs.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { counted, time } from '../render/layout.ts'
import type { Look } from '../look.ts'
import { table } from '../render/table.ts'
import { withProgress } from '../progress.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const actions = ['list', 'retry', 'cancel', 'settle'] as const

export function jobsCommand(shell: Shell): Command {
  const made = command('jobs', 'List background jobs, retry or cancel one, or run those that are due', {
    group: 'The memory',
    of: 'scope',
    lists: true,
    embeds: true,
    examples: ['daybook jobs --state failed', 'daybook jobs retry job-id', 'daybook jobs settle'],
  })
    .argument('[action]', `${actions.join(', ')}`, 'list')
    .argument('[job]', 'the id of the job to retry or cancel')
  return withOptions(made, optionFields(jobOperations.inScope)).action(
    async (action: string, id: string | undefined, options: CommonOptions) => {
      if (action === 'list') return listJobs(shell, options)
      if (action === 'settle') return settle(shell, options)
      if (action !== 'retry' && action !== 'cancel')
        throw new CommandError('usage', `Cannot ${JSON.stringify(action)} jobs: expected ${actions.join(', ')}`)
      if (id === undefined) throw new CommandError('usage', `Cannot ${action}: expected the id of a job`)
      return inMemory(shell, options, async ({ jobs }) => {
        const job = action === 'retry' ? await jobs.retry(id) : await jobs.cancel(id)
        return { value: job, text: (look) => renderJobs([job], look) }
      })
    },
  )
}

function listJobs(shell: Shell, options: CommonOptions): Promise<void> {
  return inMemory(shell, options, async (memory) => {
    const jobs = await memory.jobs.list(givenOf(optionFields(jobOperations.list), options))
    return { value: { jobs }, rows: jobs, text: (look) => renderJobs(jobs, look) }
  })
}

function settle(shell: Shell, options: CommonOptions): Promise<void> {
  return inMemory(
    shell,
    options,
    async (memory) => {
      const left = await withProgress(shell, 'Running jobs', () => memory.settled())
      return { value: left, text: () => settledText(left) }
    },
    { learn: 'patterns' },
  )
}

function settledText({ waiting, failed }: { readonly waiting: number; readonly failed: number }): string {
  const left = [
    ...(waiting === 0 ? [] : [`${counted(waiting, 'job')} will be tried again later`]),
    ...(failed === 0 ? [] : [`${counted(failed, 'job')} failed: "daybook jobs --state failed" shows why`]),
  ]
  return left.length === 0 ? 'Done: no jobs are left' : `Done. ${left.join(', ')}`
}

function renderJobs(jobs: readonly Job[], { width }: Look): string {
  if (jobs.length === 0) return 'No jobs.'
  const rows = jobs.map(({ id, state, kind, scope, subject, attempts, updatedAt, error }) => [
    id,
    state,
    kind,
    `${terminalLine(scope)} ${terminalLine(subject)}`,
    `${attempts}`,
    time(updatedAt),
    terminalLine(error ?? ''),
  ])
  return table(['job', 'state', 'kind', 'about', 'tries', 'changed', ''], rows, { right: [4], width }).join('\n')
}
