import { defined } from '../domain/defined.ts'
import type { ScopeEvent, ScopeEventKind } from '../api/watching.ts'
import { jobFromRow } from '../jobs/job-from-row.ts'
import { factCursorAfter, knowledgeVersion, shownFactChanges } from '../knowledge/changes.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Bell } from '../log/bell.ts'
import type { JobRow, JobStore } from '../ports/job-store.ts'
import { type Progress, writeProgress } from './progress.ts'
import { type Happening, type WatchedLog, sessionEvents, sessionsNow } from './session-events.ts'

/** Between two looks: many commits may follow each other closely, and whoever watches reads them together. */
const PACE_MS = 200
const FACTS_PER_PAGE = 100
const JOBS_PER_PAGE = 100
/** A job that was changed by a transaction that took longer than this is not noticed after a reconnection. */
const JOBS_OVERLAP_MS = 2_000

/** What a watch of a scope reads. */
export interface WatchedScope {
  readonly log: WatchedLog
  readonly knowledge: Knowledge
  readonly store: { readonly jobs: Pick<JobStore, 'list'> }
}

/** Where a watch continues that was opened now and has seen nothing yet. */
export async function watchCursorNow(watched: WatchedScope, scope: string): Promise<string> {
  return writeProgress(scope, await progressNow(watched, scope))
}

export async function progressNow({ log, knowledge, store: { jobs } }: WatchedScope, scope: string): Promise<Progress> {
  const [sessions, factsVersion, newest] = await Promise.all([
    sessionsNow(log, scope),
    knowledgeVersion(knowledge, scope),
    jobs.list({ scope, limit: JOBS_PER_PAGE }),
  ])
  const jobsAt = Math.max(0, ...newest.map(({ updatedAt }) => updatedAt))
  const listed = await changedJobs(jobs, scope, jobsAt - JOBS_OVERLAP_MS)
  // What changed since the first read is reported.
  const seen = listed.filter(({ updatedAt }) => updatedAt <= jobsAt)
  return { ...sessions, factsVersion, facts: undefined, jobsAt, jobs: statesOf(seen) }
}

interface Following {
  readonly progress: Progress
  readonly bell: Bell
  readonly wants: (kind: ScopeEventKind) => boolean
}

/** Yields what happened since `start`, and then what happens, until the bell is stopped. */
export async function* followScope(
  watched: WatchedScope,
  scope: string,
  { progress, bell, wants }: Following,
): AsyncGenerator<ScopeEvent, undefined> {
  while (!bell.stopped) {
    bell.silence()
    for await (const happening of look(watched, scope, { progress, wants })) {
      if (bell.stopped) return undefined
      if (wants(happening.type)) yield { ...happening, cursor: writeProgress(scope, progress) }
    }
    await bell.wait()
    await bell.rest(PACE_MS)
  }
  return undefined
}

interface Look extends Pick<Following, 'wants'> {
  readonly progress: Progress
}

async function* look(
  { log, knowledge, store: { jobs } }: WatchedScope,
  scope: string,
  { progress, wants }: Look,
): AsyncGenerator<Happening, undefined> {
  if ((['session', 'message', 'change', 'compaction', 'forgotten'] as const).some(wants))
    yield* sessionEvents(log, scope, progress)
  if (wants('fact')) yield* factEvents(knowledge, scope, progress)
  if (wants('job')) yield* jobEvents(jobs, scope, progress)
  return undefined
}

async function* factEvents(
  knowledge: Knowledge,
  scope: string,
  progress: Progress,
): AsyncGenerator<Happening, undefined> {
  progress.facts ??= await factCursorAfter(knowledge, scope, progress.factsVersion)
  // Read first: whatever changes after this is reported again after a reconnection rather than left out.
  const version = await knowledgeVersion(knowledge, scope)
  for (let more = true; more;) {
    const page = await shownFactChanges(knowledge, scope, progress.facts, FACTS_PER_PAGE)
    for (const fact of page.facts) yield { type: 'fact', id: fact.id, fact }
    for (const id of page.forgotten) yield { type: 'fact', id, fact: null }
    progress.facts = page.cursor
    more = page.more
  }
  progress.factsVersion = version
  return undefined
}

/** What changed since the last one that was reported, by the store's clock. */
async function* jobEvents(
  jobs: Pick<JobStore, 'list'>,
  scope: string,
  progress: Progress,
): AsyncGenerator<Happening, undefined> {
  const { jobs: seen, jobsAt } = progress
  const rows = await changedJobs(jobs, scope, jobsAt - JOBS_OVERLAP_MS)
  progress.jobs = statesOf(rows)
  for (const row of rows.toSorted((a, b) => a.updatedAt - b.updatedAt)) {
    if (seen.get(row.id) === stateOf(row)) continue
    progress.jobsAt = Math.max(progress.jobsAt, row.updatedAt)
    yield { type: 'job', job: jobFromRow(row) }
  }
  return undefined
}

function statesOf(rows: readonly JobRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.id, stateOf(row)]))
}

function stateOf({ state, attempts, updatedAt }: JobRow): string {
  return `${state} ${attempts} ${updatedAt}`
}

async function changedJobs(
  jobs: Pick<JobStore, 'list'>,
  scope: string,
  changedSince: number,
): Promise<readonly JobRow[]> {
  const found: JobRow[] = []
  for (let after: string | undefined; ;) {
    const query = { scope, changedSince, limit: JOBS_PER_PAGE, ...defined({ after }) }
    const page = await jobs.list(query)
    found.push(...page)
    after = page.at(-1)?.id
    if (page.length < JOBS_PER_PAGE || after === undefined) return found
  }
}
