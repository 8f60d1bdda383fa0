import { setImmediate } from 'node:timers/promises'
import type { Message } from '../domain/message.ts'
import type { NewPassage } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { eachMessagePassage } from './message-passages.ts'

const TURN_MS_MAX = 5

/** The passages of a message. While a long one is read, others run in between. */
export async function passagesInTurns(analyser: Analyser, message: Message): Promise<readonly NewPassage[]> {
  const passages: NewPassage[] = []
  let since = performance.now()
  for (const passage of eachMessagePassage(analyser, message)) {
    passages.push(passage)
    if (performance.now() - since < TURN_MS_MAX) continue
    await setImmediate()
    since = performance.now()
  }
  return passages
}
