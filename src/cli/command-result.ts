import type { ExitStatus } from './exit-status.ts'
import { type Look, lookOf } from './look.ts'
import type { Shell } from './shell.ts'
import { terminalJSON } from './visible.ts'

/** What a command found out, once for programs and once for people. */
export interface CommandResult {
  /** With `--json`. */
  readonly value: unknown
  /** With `--jsonl`, one a line; without, the value is the only line. */
  readonly rows?: readonly unknown[]
  text(look: Look): string
  /** @default 'ok' */
  readonly exit?: ExitStatus
}

export interface ResultOptions {
  readonly json?: boolean
  readonly jsonl?: boolean
}

export function writeResult(shell: Shell, options: ResultOptions, answer: CommandResult): void {
  const text = written(shell, options, answer)
  if (text !== '') shell.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

function written(shell: Shell, { json, jsonl }: ResultOptions, { value, rows, text }: CommandResult): string {
  if (jsonl === true) return (rows ?? [value]).map((row) => `${terminalJSON(row)}\n`).join('')
  return json === true ? terminalJSON(value, 2) : text(lookOf(shell.stdout, shell.env))
}
