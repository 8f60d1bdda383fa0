import { type Command, Option } from 'commander'
import { type Job, type JobState, jobStates } from '../../domain/job.ts'
import { type CommonOptions, command, parseCount, inMemory } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { table, time } from '../render/layout.ts'
import { withProgress } from '../progress.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const actions = ['list', 'retry', 'cancel', 'settle'] as const

type Options = CommonOptions & {
  readonly state?: JobState
  readonly kind?: string
  readonly limit?: number
  readonly after?: string
}

export function jobsCommand(shell: Shell): Command {
  return command('jobs', 'List background work, retry or cancel a job, or do what is due', {
    group: 'The memory',
    of: 'scope',
    lists: true,
    examples: ['daybook jobs --state failed', 'daybook jobs retry job-id', 'daybook jobs settle'],
  })
    .argument('[action]', `${actions.join(', ')}`, 'list')
    .argument('[job]', 'its id, to retry or cancel')
    .addOption(new Option('--state <state>', 'only those').choices(jobStates))
    .option('--kind <kind>', 'only those of a kind, as learn')
    .option('--limit <n>', 'how many', parseCount)
    .option('--after <id>', 'those behind the last of the page before')
    .action(async (action: string, id: string | undefined, options: Options) => {
      if (action === 'list') return listJobs(shell, options)
      if (action === 'settle') return settle(shell, options)
      if (action !== 'retry' && action !== 'cancel')
        throw new CommandError('usage', `Cannot ${JSON.stringify(action)} jobs: expected ${actions.join(', ')}`)
      if (id === undefined) throw new CommandError('usage', `Cannot ${action}: expected the id of a job`)
      return inMemory(shell, options, async ({ jobs }) => {
        const job = action === 'retry' ? await jobs.retry(id) : await jobs.cancel(id)
        return { value: job, text: () => renderJobs([job]) }
      })
    })
}

function listJobs(shell: Shell, { scope, state, kind, limit, after, ...common }: Options): Promise<void> {
  return inMemory(shell, common, async (memory) => {
    const jobs = await memory.jobs.list({
      ...(scope === undefined ? {} : { scope }),
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit }),
      ...(after === undefined ? {} : { after }),
    })
    return { value: { jobs }, rows: jobs, text: () => renderJobs(jobs) }
  })
}

function settle(shell: Shell, options: Options): Promise<void> {
  return inMemory(
    shell,
    options,
    async (memory) => {
      const left = await withProgress(shell, 'Doing what is due', () => memory.settled())
      return { value: left, text: () => `Done. Left: ${left.waiting} that wait, ${left.failed} that failed` }
    },
    { learn: 'patterns' },
  )
}

function renderJobs(jobs: readonly Job[]): string {
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
  return table(['job', 'state', 'kind', 'about', 'tries', 'changed', ''], rows, [4]).join('\n')
}
