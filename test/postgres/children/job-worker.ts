// Claims jobs of a database until none is due, or claims some and waits for its end.
import { setTimeout } from 'node:timers/promises'
import type { PostgresOptions } from '../../../src/api/postgres.ts'
import { endAttempt } from '../../../src/jobs/end-attempt.ts'
import { openPostgresStore } from '../../../src/stores/postgres/store.ts'
import { tell, waitForGo } from '../../fault/harness/parent.ts'

interface Task {
  readonly url: string
  readonly postgres: PostgresOptions
  readonly owner: string
  readonly holds: boolean
}

const { url, postgres, owner, holds } = waitForGo() as Task
const store = await openPostgresStore(url, postgres, Date.now, () => undefined)
for (;;) {
  const jobs = await store.jobs.claim({ kind: 'chore', owner, leaseMs: 3_600_000, except: [], limit: 3 })
  for (const { id } of jobs) tell({ owner, claimed: id })
  if (holds || jobs.length === 0) break
  for (const job of jobs) await endAttempt(store.jobs, job, { type: 'done', result: owner })
}
tell({ owner, claimed: null })
if (holds) await setTimeout(3_600_000)
await store.close()
