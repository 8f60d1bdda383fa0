import type { Message } from '../../domain/message.ts'
import { optionsOf, sessionOf } from '../arguments.ts'
import type { Call } from '../route.ts'
import { type Replay, byVersion } from '../../access/replay.ts'

/** A revision is done when the message has one more than before, and says what it was to say. */
export function replayRevise(call: Call): Replay {
  const session = sessionOf(call)
  const id = call.names['id'] ?? ''
  return byVersion(
    async () => (await session.stats()).version,
    async (version) => {
      const [then, now] = await Promise.all([session.get(id, { asOf: { version } }), session.get(id)])
      if (then === undefined || now === undefined || now.revision === then.revision) return 'not done'
      const { content, ...others } = optionsOf<{ readonly content?: unknown }>(call)
      const isOurs = now.revision === then.revision + 1 && Object.keys(others).length === 0 && content === onlyText(now)
      return isOurs ? { value: now } : 'unknown'
    },
  )
}

/** The text of a message that has nothing else. */
function onlyText({ parts }: Message): string | undefined {
  const [only, ...more] = parts
  return only?.type === 'text' && more.length === 0 ? only.text : undefined
}
