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
const JOBS_PER_LIST = 100
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
  const [sessions, factsVersion, listed] = await Promise.all([
    sessionsNow(log, scope),
    knowledgeVersion(knowledge, scope),
    newestJobs(jobs, scope),
  ])
  const jobsAt = Math.max(0, ...listed.map(({ updatedAt }) => updatedAt))
  return { ...sessions, factsVersion, facts: undefined, jobsAt, jobs: statesOf(listed) }
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
  if ((['session', 'message', 'change', 'compaction'] as const).some(wants)) yield* sessionEvents(log, scope, progress)
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

/** Jobs have no log: what changed is found by looking at the newest of each state. */
async function* jobEvents(
  jobs: Pick<JobStore, 'list'>,
  scope: string,
  progress: Progress,
): AsyncGenerator<Happening, undefined> {
  const { jobs: seen, jobsAt } = progress
  const rows = await newestJobs(jobs, scope)
  progress.jobs = statesOf(rows)
  for (const row of rows.toSorted((a, b) => a.updatedAt - b.updatedAt)) {
    const known = seen.get(row.id)
    if (known === undefined ? row.updatedAt <= jobsAt - JOBS_OVERLAP_MS : known === stateOf(row)) continue
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

/** The newest, and those that may be older and still change. */
async function newestJobs(jobs: Pick<JobStore, 'list'>, scope: string): Promise<readonly JobRow[]> {
  const lists = await Promise.all([
    jobs.list({ scope, limit: JOBS_PER_LIST }),
    ...(['waiting', 'running', 'failed'] as const).map((state) => jobs.list({ scope, state, limit: JOBS_PER_LIST })),
  ])
  return [...new Map(lists.flat().map((row) => [row.id, row])).values()]
}
