import { CommandError } from './exit-status.ts'

interface SessionOption {
  readonly session?: string
}

/** Which session a command is about, and the word that follows it. */
export interface SessionWords<Options> {
  /** The options, with the session that was given as a word. */
  readonly options: Options
  readonly word: string | undefined
}

/**
 * Reads the words of a command about a session: `support-42 7731`. The first one is the session. With `--session` or
 * `DAYBOOK_SESSION` it may be left out.
 *
 * @param needed What the second word is, if there must be one.
 */
export function sessionWords<Options extends SessionOption>(
  [first, second]: readonly [string | undefined, string | undefined],
  options: Options,
  needed?: string,
): SessionWords<Options> {
  if (first === undefined || second !== undefined)
    return { options: first === undefined ? options : { ...options, session: first }, word: second }
  if (options.session !== undefined) return { options, word: first }
  if (needed === undefined) return { options: { ...options, session: first }, word: undefined }
  throw new CommandError('usage', `Expected a session and ${needed}: only ${JSON.stringify(first)} was given`)
}
