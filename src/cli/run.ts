import { CommanderError } from 'commander'
import { MemoryError } from '../domain/error.ts'
import { redactAddresses } from '../domain/redact-addresses.ts'
import { CommandError, type ExitStatus, exitOf, exitStatuses } from './exit-status.ts'
import { lookOf } from './look.ts'
import { program } from './program.ts'
import type { Shell, Surroundings } from './shell.ts'
import { terminalText, terminalJSON } from './visible.ts'

/** Runs one command line. Answers with the status that the process is to end with. */
export async function runCommandLine(around: Surroundings, words: readonly string[], version: string): Promise<number> {
  let exit: ExitStatus = 'ok'
  const { stdin, stdout, stderr, env } = around
  const shell: Shell = { stdin, stdout, stderr, env, end: (status) => (exit = status) }
  const root = program(shell, version)
  try {
    if (words.length === 0) root.outputHelp()
    else await root.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitStatuses.ok.status
    tell(shell, error, words.includes('--json') || words.includes('--jsonl'))
    exit = error instanceof CommanderError ? 'usage' : exitOf(error)
  }
  return exitStatuses[exit].status
}

/** On the error stream, so that the answer is never mixed with it: one line for people, one document for programs. */
function tell(shell: Shell, error: unknown, json: boolean): void {
  const message = redactAddresses(error instanceof Error ? error.message.replace(/^error: /, '') : String(error))
  if (json) {
    const facts = MemoryError.is(error)
      ? { code: error.code, details: error.details }
      : { code: `cli/${codeOf(error)}` }
    shell.stderr.write(`${terminalJSON({ error: { ...facts, message } })}\n`)
    return
  }
  const { paint } = lookOf(shell.stderr, shell.env)
  const code = MemoryError.is(error) ? ` (${error.code})` : ''
  shell.stderr.write(`${paint('red', 'daybook:')} ${terminalText(message)}${code}\n`)
  // Nobody foresaw it: whoever reports it needs to say where it was.
  if (error instanceof Error && !isExpected(error))
    shell.stderr.write(`${terminalText(redactAddresses(error.stack ?? ''))}\n`)
}

function isExpected(error: Error): boolean {
  return error instanceof CommanderError || error instanceof CommandError || MemoryError.is(error)
}

function codeOf(error: unknown): string {
  return error instanceof CommanderError ? 'usage' : exitOf(error).replace('notFound', 'not-found')
}
