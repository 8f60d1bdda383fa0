import { setImmediate } from 'node:timers/promises'
import { readPiecesPlace } from '../domain/pieces-place.ts'
import type { FoundWork, Hint, JobKind } from '../jobs/job-kind.ts'
import { get } from '../log/get.ts'
import type { Log } from '../log/log.ts'
import { revise } from '../log/revise.ts'
import { STREAM_SILENCE_MS_MAX } from '../log/stream-silence.ts'
import { isStreamed } from '../log/with-pieces.ts'
import type { StreamPlace, StreamsOf } from '../ports/log-store.ts'

const QUEUE_MAX = 1_000
const ATTEMPTS_MAX = 8
/** Looked at without a pause: some two milliseconds. */
const KEYS_PER_LOOK = 2_000

/** What ending abandoned streams needs of an open memory. */
export interface AbandonedWiring {
  readonly log: Log
  /** What learns from a session that has changed, and what posts its scope. */
  readonly runner: { readonly isHinted: boolean; nudge(hint: Hint): void }
  readonly posting: { soon(scope: string): void }
}

/**
 * Ends streams whose process is gone: what came of the message becomes a revision, marked `incomplete: 'stopped'`, so that it is posted
 * and learned from like every other message. A process that only reads changes nothing: all sessions are looked at when it first writes
 * to one, and later those that it writes to.
 */
export function abandonedKind(parts: () => AbandonedWiring): JobKind {
  let hasLooked = false
  return {
    name: 'stream',
    queueMax: QUEUE_MAX,
    attemptsMax: ATTEMPTS_MAX,
    async *find(among, signal) {
      const { log, runner } = parts()
      if (!runner.isHinted) return
      if (among !== 'all' && hasLooked) {
        for (const { scope, subject } of among) yield* abandoned(log, { scope, session: subject })
        return
      }
      hasLooked = true
      const [youngest] = await log.store.sessions({ everyScope: true }, { limit: 1 })
      for (let after = 0; after < (youngest?.key ?? 0) && !signal.aborted; after += KEYS_PER_LOOK) {
        yield* abandoned(log, { after, through: after + KEYS_PER_LOOK })
        await setImmediate()
      }
    },
    run: async ({ scope, subject }) => {
      const { log, runner, posting } = parts()
      const places = await silent(log, { scope, session: subject })
      for (const place of places) await end(log, place)
      if (places.length > 0) {
        runner.nudge({ scope, subject })
        posting.soon(scope)
      }
      return { ended: places.length }
    },
  }
}

async function silent(log: Log, of: StreamsOf): Promise<readonly StreamPlace[]> {
  const places = await log.store.streams(of)
  return places.filter(({ at }) => log.clock.now() - at > STREAM_SILENCE_MS_MAX)
}

/** Sessions with an abandoned stream, each once. */
async function* abandoned(log: Log, of: StreamsOf): AsyncGenerator<FoundWork> {
  const found = new Map<string, FoundWork>()
  for (const { scope, session: place, at } of await silent(log, of)) {
    const subject = readPiecesPlace(place).session
    found.set(JSON.stringify([scope, subject]), { scope, subject, mark: at })
  }
  yield* found.values()
}

async function end(log: Log, { scope, session: place }: StreamPlace): Promise<void> {
  const { session, message: id } = readPiecesPlace(place)
  const message = await get(log.store, { scope, session }, id)
  // Its pieces outlived a message that was forgotten or completed.
  if (message === undefined || !isStreamed(message)) await log.pieces.forget({ scope, session: place })
  else await revise(log, { scope, session }, id, { incomplete: 'stopped' })
}
