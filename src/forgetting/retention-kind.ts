import type { RetentionPolicy } from '../domain/retention.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { ForgettingWiring } from './wiring.ts'

const QUEUE_MAX = 1_000
const ATTEMPTS_MAX = 8

/** Forgets what is beyond the retention of its scope: one job a session, in steps between which others write. */
export function retentionKind(parts: () => ForgettingWiring): JobKind {
  return {
    name: 'retention',
    queueMax: QUEUE_MAX,
    attemptsMax: ATTEMPTS_MAX,
    async *find(among, signal) {
      const policies = await parts().store.retention.list()
      if (policies.length === 0) return
      const { overdueUnder } = await import('./retention.ts')
      const hinted = among === 'all' ? undefined : new Set(among.map(({ scope, subject }) => `${scope} ${subject}`))
      for (const { scope: from, policy } of policies) {
        for await (const { scope, session, seqs } of overdueUnder(
          parts(),
          from,
          JSON.parse(policy) as RetentionPolicy,
          1,
        )) {
          if (signal.aborted) return
          if (hinted === undefined || hinted.has(`${scope} ${session}`))
            yield { scope, subject: session, mark: seqs.at(-1) ?? 0 }
        }
      }
    },
    run: async ({ scope, subject }, signal) => {
      const { MESSAGES_PER_STEP, boundsOf, effective } = await import('./retention.ts')
      const { forgetLog } = await import('./forget-log.ts')
      const { overwritePages } = await import('./carry-out.ts')
      const { renewKeys } = await import('./renew-keys.ts')
      const { store, log } = parts()
      for (let messages = 0; ;) {
        signal.throwIfAborted()
        const retention = await effective(parts(), scope)
        const session = await store.log.session(scope, subject)
        if (retention === undefined || session === undefined) return { messages }
        const bounds = boundsOf(retention.policy, log.clock.now())
        const page = { after: session.key - 1, sessions: 1, messages: MESSAGES_PER_STEP }
        const [overdue] = await store.retention.overdue(scope, bounds, page)
        if (overdue === undefined || overdue.session !== subject || overdue.seqs.length === 0) {
          await renewKeys(parts(), scope)
          await overwritePages(parts())
          return { messages }
        }
        const target = { session: subject, key: overdue.key, seqs: overdue.seqs }
        messages += (await forgetLog(parts(), scope, target, { reason: 'retention', pages: 'later' })).messages
      }
    },
  }
}
