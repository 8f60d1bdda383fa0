import type { Message } from '../../domain/message.ts'
import { resultText } from './result-text.ts'

/** What somebody said in a message, or what a tool returned in it. */
export function wordsOf({ parts }: Pick<Message, 'parts'>): string {
  return parts
    .flatMap((part) =>
      part.type === 'text' ? [part.text] : part.type === 'tool-result' ? [resultText(part.output)] : [],
    )
    .join(' ')
}
