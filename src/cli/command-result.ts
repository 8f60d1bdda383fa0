import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { folderProblem } from '../domain/folder-problem.ts'
import { CommandError, type ExitStatus } from './exit-status.ts'
import { type Look, lookOf } from './look.ts'
import type { Plot } from './render/plot.ts'
import { plotLines } from './render/plot-lines.ts'
import { plotSvg } from './render/plot-svg.ts'
import { showPages } from './show-pages.ts'
import type { Shell } from './shell.ts'
import { terminalJSON } from './visible.ts'

/** What a command found out, once for programs and once for people. */
export interface CommandResult {
  /** With `--json`. */
  readonly value: unknown
  /** With `--jsonl`, one per line; without, the value is the only line. */
  readonly rows?: readonly unknown[]
  text(look: Look): string
  /** Drawn below the text on a terminal, and into the file of `--svg`. */
  readonly plot?: Plot
  /** @default 'ok' */
  readonly exit?: ExitStatus
}

export interface ResultOptions {
  readonly json?: boolean
  readonly jsonl?: boolean
  /** The file for the plot, of commands that have one. */
  readonly svg?: string
}

export function writeResult(shell: Shell, options: ResultOptions, answer: CommandResult): void {
  if (options.svg !== undefined && answer.plot !== undefined) writePicture(options.svg, answer.plot)
  const text = written(shell, options, answer)
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
  if (options.json === true || options.jsonl === true || !showPages(shell, whole)) shell.stdout.write(whole)
}

function writePicture(file: string, plot: Plot): void {
  try {
    writeFileSync(file, plotSvg(plot))
  } catch (error) {
    throw new CommandError('usage', `Cannot write ${JSON.stringify(file)}: ${folderProblem(dirname(file), error)}`)
  }
}

function written(shell: Shell, { json, jsonl }: ResultOptions, { value, rows, text, plot }: CommandResult): string {
  if (jsonl === true) return (rows ?? [value]).map((row) => `${terminalJSON(row)}\n`).join('')
  if (json === true) return terminalJSON(value, 2)
  const look = lookOf(shell.stdout, shell.env)
  const drawn = plot === undefined || look.width === undefined ? [] : ['', ...plotLines(plot, look.width)]
  return [text(look), ...drawn].join('\n')
}
