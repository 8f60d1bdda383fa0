import type { TokenizerName } from '../domain/tokenizer-name.ts'
import { MemoryError } from '../domain/error.ts'
import type { Draft } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'
import type { Log } from './log.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { countMessage } from '../tokens/count-message.ts'
import { countText } from '../tokens/count-text.ts'
import { estimator } from '../tokens/estimate.ts'
import { loadTokenizer } from '../tokens/exact.ts'

/** How the log counts: the name it stores with each count, and the counting itself. An exact tokenizer takes a moment to load, so only who chose one pays for it. */
export async function messageCounter(choice: TokenizerName | Tokenizer): Promise<Pick<Log, 'count' | 'counter'>> {
  if (typeof choice === 'object') return { counter: choice.name, count: (message) => checkedCount(choice, message) }
  return messageCounter(choice === 'estimate' ? estimator() : await loadTokenizer(choice))
}

/** The same tokenizer for a bare text. */
export async function countTextWith(choice: TokenizerName | Tokenizer): Promise<(text: string) => Promise<number>> {
  const tokenizer =
    typeof choice === 'object' ? choice : choice === 'estimate' ? estimator() : await loadTokenizer(choice)
  return (text) => countText(tokenizer, text)
}

/** A tokenizer may be the caller's own: whatever it does, a message is stored with a number or refused with the reason. */
function checkedCount(tokenizer: Tokenizer, message: Draft): number | Promise<number> {
  try {
    const tokens = countMessage(tokenizer, message)
    if (!(tokens instanceof Promise)) return wholeCount(tokenizer, tokens)
    return tokens.then(
      (counted) => wholeCount(tokenizer, counted),
      (error: unknown) => failed(tokenizer, error),
    )
  } catch (error) {
    return failed(tokenizer, error)
  }
}

function failed(tokenizer: Tokenizer, error: unknown): never {
  if (MemoryError.is(error)) throw error
  throw new MemoryError(
    'input/invalid',
    `Cannot count tokens: the tokenizer ${JSON.stringify(tokenizer.name)} failed`,
    { tokenizer: tokenizer.name },
    error,
  )
}

function wholeCount(tokenizer: Tokenizer, tokens: number): number {
  if (!Number.isFinite(tokens) || tokens < 0)
    refuse('count tokens', `the count of ${tokenizer.name}`, tokens, 'a number, 0 or greater')
  return Math.ceil(tokens)
}
