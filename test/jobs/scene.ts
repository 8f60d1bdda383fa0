import type { JobEvent } from '../../src/api/events.ts'
import type { FoundWork, Hint, JobKind } from '../../src/jobs/job-kind.ts'
import { Runner, type RunnerSettings } from '../../src/jobs/runner.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import type { JobRow } from '../../src/ports/job-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

/** A clock that a test owns. */
export class ScriptedClock {
  time = 1_000_000

  now(): number {
    return this.time
  }
}

/** Work that a test makes and a runner finds. */
export class Chores implements JobKind {
  readonly name: string = 'chore'
  readonly queueMax: number
  readonly attemptsMax: number = 3
  readonly due: Map<string, number> = new Map()
  readonly done: string[] = []
  /** What running one does, besides being done. */
  act: (job: JobRow, signal: AbortSignal) => Promise<JSONValue> = async () => null

  constructor(queueMax = 100) {
    this.queueMax = queueMax
  }

  async *find(among: readonly Hint[] | 'all', _signal?: AbortSignal): AsyncGenerator<FoundWork> {
    const subjects = among === 'all' ? [...this.due.keys()] : among.map(({ subject }) => subject)
    for (const subject of subjects) {
      const mark = this.due.get(subject)
      if (mark !== undefined) yield { scope: 'a', subject, mark }
    }
  }

  async run(job: JobRow, signal: AbortSignal): Promise<JSONValue> {
    const result = await this.act(job, signal)
    this.done.push(job.subject)
    this.due.delete(job.subject)
    return result
  }
}

let runners = 0

export function startRunner(
  store: Store,
  kind: JobKind,
  more: Partial<RunnerSettings> = {},
): { runner: Runner; events: JobEvent[] } {
  const events: JobEvent[] = []
  const name = `runner-${(runners += 1)}`
  let ids = 0
  const runner = new Runner({
    store: store.jobs,
    kinds: [kind],
    chance: () => 0.5,
    newId: () => `${name}-${(ids += 1)}`,
    owner: name,
    emit: (event) => events.push(event),
    ...more,
  })
  return { runner, events }
}

/** Its clock is what leases and pauses go by. */
export function openStore(clock: ScriptedClock = new ScriptedClock()): Promise<Store> {
  return openSqliteStore(':memory:', () => clock.now())
}
