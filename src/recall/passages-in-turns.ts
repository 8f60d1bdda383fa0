import type { Message } from '../domain/message.ts'
import { inTurns } from '../log/in-turns.ts'
import type { NewPassage } from '../ports/recall-store.ts'
import type { Analyser } from './analyser.ts'
import { eachMessagePassage } from './message-passages.ts'

/** The passages of a message. While a long one is read, others run in between. */
export function passagesInTurns(analyser: Analyser, message: Message): AsyncGenerator<NewPassage> {
  return inTurns(eachMessagePassage(analyser, message))
}
