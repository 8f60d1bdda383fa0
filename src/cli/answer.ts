import type { ExitStatus } from './exit-status.ts'
import { type Look, lookOf } from './look.ts'
import type { Shell } from './shell.ts'
import { visibleJSON } from './visible.ts'

/** What a command found out, once for programs and once for people. */
export interface Answer {
  /** With `--json`. */
  readonly value: unknown
  /** With `--jsonl`, one a line; without, the value is the only line. */
  readonly rows?: readonly unknown[]
  text(look: Look): string
  /** @default 'ok' */
  readonly exit?: ExitStatus
}

export interface AnswerOptions {
  readonly json?: boolean
  readonly jsonl?: boolean
}

export function writeAnswer(shell: Shell, options: AnswerOptions, answer: Answer): void {
  const text = written(shell, options, answer)
  if (text !== '') shell.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

function written(shell: Shell, { json, jsonl }: AnswerOptions, { value, rows, text }: Answer): string {
  if (jsonl === true) return (rows ?? [value]).map((row) => `${visibleJSON(row)}\n`).join('')
  return json === true ? visibleJSON(value, 2) : text(lookOf(shell.stdout, shell.env))
}
