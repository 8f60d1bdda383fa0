import { CommanderError } from 'commander'
import { MemoryError } from '../domain/error.ts'
import { CommandError, exitOf, exitStatuses } from './exit-status.ts'
import { lookOf } from './look.ts'
import { program } from './program.ts'
import type { Shell } from './shell.ts'
import { visible, visibleJSON } from './visible.ts'

/** Runs one command line. Answers with the status that the process is to end with; `undefined` leaves what the command set. */
export async function run(shell: Shell, words: readonly string[], version: string): Promise<number | undefined> {
  const root = program(shell, version)
  if (words.length === 0) {
    root.outputHelp()
    return exitStatuses.ok.status
  }
  try {
    await root.parseAsync([...words], { from: 'user' })
    return undefined
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitStatuses.ok.status
    tell(shell, error, words.includes('--json') || words.includes('--jsonl'))
    return exitStatuses[error instanceof CommanderError ? 'usage' : exitOf(error)].status
  }
}

/** On the error stream, so that the answer is never mixed with it: one line for people, one document for programs. */
function tell(shell: Shell, error: unknown, json: boolean): void {
  const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  if (json) {
    const facts = MemoryError.is(error)
      ? { code: error.code, details: error.details }
      : { code: `cli/${codeOf(error)}` }
    shell.stderr.write(`${visibleJSON({ error: { ...facts, message } })}\n`)
    return
  }
  const { paint } = lookOf(shell.stderr, shell.env)
  const code = MemoryError.is(error) ? ` (${error.code})` : ''
  shell.stderr.write(`${paint('red', 'daybook:')} ${visible(message)}${code}\n`)
  // Nobody foresaw it: whoever reports it needs to say where it was.
  if (error instanceof Error && !isExpected(error)) shell.stderr.write(`${visible(error.stack ?? '')}\n`)
}

function isExpected(error: Error): boolean {
  return error instanceof CommanderError || error instanceof CommandError || MemoryError.is(error)
}

function codeOf(error: unknown): string {
  return error instanceof CommanderError ? 'usage' : exitOf(error).replace('notFound', 'not-found')
}
