import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../domain/error.ts'
import type { FoundWork, Hint, JobKind } from '../../jobs/job-kind.ts'
import type { SessionBehind } from '../../ports/learn-store.ts'
import { type LearnSettings, learnSession } from './learn-session.ts'

const LEARN = 'learn'
const QUEUE_MAX = 1_000
const ATTEMPTS_MAX = 8
/** With the pauses between them some two hours: longer than most outages, and than the hour of a spend limit. */
const MODEL_ATTEMPTS_MAX = 20
/** Looked at without a pause: some two milliseconds. */
const KEYS_PER_LOOK = 2_000
const QUOTES_NOBODY = /^(?:store|jobs|model)\//

/** Learning from sessions, as a kind of job: one job a session. */
export function learnKind(settings: LearnSettings & { readonly asksModel: boolean }): JobKind {
  const attemptsMax = settings.asksModel ? MODEL_ATTEMPTS_MAX : ATTEMPTS_MAX
  return {
    name: LEARN,
    queueMax: QUEUE_MAX,
    attemptsMax,
    find: (among, signal) => (among === 'all' ? findAll(settings, signal) : findHinted(settings, among)),
    run: async ({ scope, subject, attempts }, signal) => {
      try {
        const { remarks, ...counts } = await learnSession(
          settings,
          { scope, session: subject },
          { signal, isLastTry: attempts >= attemptsMax },
        )
        return { ...counts, ...(remarks.length === 0 ? {} : { remarks }) }
      } catch (error) {
        throw withoutWords(error)
      }
    },
  }
}

async function* findHinted({ learning }: LearnSettings, hints: readonly Hint[]): AsyncGenerator<FoundWork> {
  for (const { scope, subject } of hints) {
    const found = await learning.behindOne(scope, subject)
    if (found !== undefined) yield work(found)
  }
}

async function* findAll({ log, learning }: LearnSettings, signal: AbortSignal): AsyncGenerator<FoundWork> {
  const [youngest] = await log.sessions({ everyScope: true }, { limit: 1 })
  for (let after = 0; after < (youngest?.key ?? 0) && !signal.aborted; after += KEYS_PER_LOOK) {
    for (const found of await learning.behind({ after, through: after + KEYS_PER_LOOK })) yield work(found)
    await setImmediate()
  }
}

function work({ scope, session, version }: SessionBehind): FoundWork {
  return { scope, subject: session, mark: version }
}

/**
 * What a job says of its failure is listed and logged, so it says nothing that was said: messages of errors quote what they were
 * given. The error itself is in `cause`, for who listens to the event.
 */
function withoutWords(error: unknown): unknown {
  if (MemoryError.is(error) && QUOTES_NOBODY.test(error.code)) return error
  const kind = MemoryError.is(error) ? error.code : error instanceof Error ? error.name : typeof error
  return new Error(`learning failed: ${kind}`, { cause: error })
}
