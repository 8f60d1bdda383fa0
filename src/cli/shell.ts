import type { ExitStatus } from './exit-status.ts'
import type { ReadStream, WriteStream } from 'node:tty'

type Input = Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream
type Output = Pick<WriteStream, 'isTTY' | 'columns'> & Partial<Pick<WriteStream, 'rows'>> & NodeJS.WritableStream

/** What the command line has of the process it runs in. */
export interface Surroundings {
  readonly stdin: Input
  /** The answer, and nothing else. */
  readonly stdout: Output
  /** Progress, prompts, notes and errors. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The runtime and the file of the command line, then the words. */
  readonly argv: readonly string[]
}

export interface Shell extends Surroundings {
  /** Says how the process is to end, where that is not well and yet there is an answer. */
  readonly end: (exit: ExitStatus) => void
}
