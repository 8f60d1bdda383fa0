import { existsSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { MemoryError } from '../domain/error.ts'
import { redactAddresses } from '../domain/redact-addresses.ts'
import { CommandError, type ExitStatus, exitOf, exitStatuses } from './exit-status.ts'
import { leadingOptions } from './leading-options.ts'
import { lookOf } from './look.ts'
import { lowerFirst } from './options-from.ts'
import { otherOptions } from './other-options.ts'
import { program } from './program.ts'
import type { Shell, Surroundings } from './shell.ts'
import { terminalText, terminalJSON } from './visible.ts'
import { memoryHere } from './with-memory.ts'

/** Runs one command line. Returns the status that the process should end with. */
export async function runCommandLine(around: Surroundings, words: readonly string[], version: string): Promise<number> {
  let exit: ExitStatus = 'ok'
  const { stdin, stdout, stderr, env, argv } = around
  const shell: Shell = { stdin, stdout, stderr, env, argv, end: (status) => (exit = status) }
  const root = program(shell, version)
  const { leading, rest } = leadingOptions(words)
  const [name = 'status', ...others] = helpAbout(root, rest)
  try {
    if (rest.length === 0 && leading.length === 0 && !hasMemory(env)) root.outputHelp()
    else await root.parseAsync([name, ...leading, ...others], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitStatuses.ok.status
    report(shell, withHint(root, name, error), words.includes('--json') || words.includes('--jsonl'))
    exit = error instanceof CommanderError ? 'usage' : exitOf(error)
  }
  return exitStatuses[exit].status
}

/** `help shwo` is an unknown command, and fails as `shwo` does, with a suggestion. */
function helpAbout(root: Command, words: readonly string[]): readonly string[] {
  const [first, about] = words
  if (first !== 'help' || about === undefined || about === 'help') return words
  const known = root.commands.some((command) => command.name() === about || command.aliases().includes(about))
  return known ? words : [about]
}

/** Whether `daybook` alone has something to show. */
function hasMemory(env: Shell['env']): boolean {
  const memory = env['DAYBOOK_MEMORY'] ?? memoryHere()
  return memory.includes('://') || existsSync(memory)
}

/** Says what to type instead, where the parser only says what is wrong. */
function withHint(root: Command, name: string, error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  const message = usageMessage(root, name, error)
  return message === undefined ? error : new CommanderError(error.exitCode, error.code, message)
}

function usageMessage(root: Command, name: string, { code, message }: CommanderError): string | undefined {
  const [, first = '', second = ''] = /'([^']*)'(?: argument '([^']*)')?/.exec(message) ?? []
  switch (code) {
    case 'commander.unknownOption': {
      const hint = otherOptions(root, name, first)
      if (hint !== undefined) return `unknown option '${first}': ${hint}`
      return message.includes('Did you mean') ? undefined : `${message}: "daybook help ${name}" lists the options`
    }
    case 'commander.invalidArgument': {
      const [, expected = ''] = /is invalid\. (.*)$/s.exec(message) ?? []
      return expected === '' ? undefined : `${flagOf(first)} is ${JSON.stringify(second)}, ${lowerFirst(expected)}`
    }
    case 'commander.missingArgument':
      return `no ${first} given: "daybook help ${name}" shows examples`
    case 'commander.optionMissingArgument':
      return `${flagOf(first)} needs a value: ${first}`
    default:
      return undefined
  }
}

/** `-m, --memory <file>` is `--memory`. */
function flagOf(flags: string): string {
  return /--[^\s,]+/.exec(flags)?.[0] ?? flags
}

/** On the error stream, so that the output is never mixed with it: one line for people, one document for programs. */
function report(shell: Shell, error: unknown, json: boolean): void {
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
  // Not expected: a report needs to say where it happened.
  if (error instanceof Error && !isExpected(error))
    shell.stderr.write(`${terminalText(redactAddresses(error.stack ?? ''))}\n`)
}

function isExpected(error: Error): boolean {
  return error instanceof CommanderError || error instanceof CommandError || MemoryError.is(error)
}

function codeOf(error: unknown): string {
  return error instanceof CommanderError ? 'usage' : exitOf(error).replace('notFound', 'not-found')
}
