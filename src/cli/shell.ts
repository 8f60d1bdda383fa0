import type { ReadStream, WriteStream } from 'node:tty'

type Input = Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream
type Output = Pick<WriteStream, 'isTTY' | 'columns'> & NodeJS.WritableStream

/** What a command has of the process it runs in. */
export interface Shell {
  readonly stdin: Input
  /** The answer, and nothing else. */
  readonly stdout: Output
  /** Progress, prompts, notes and errors. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}
