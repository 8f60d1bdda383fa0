import { progressLine } from './render/progress-line.ts'
import type { Shell } from './shell.ts'

const DRAWN_EVERY_MS = 100

/** How much of a piece of work is done. */
export interface Done {
  readonly done: number
  readonly total: number
  /** What is counted. */
  readonly unit: 'bytes' | 'messages' | 'records'
}

/** Says what is being done, and how much of it is done if that is known. */
export type Say = (message: string, share?: Done) => void

/**
 * Shows on a terminal what is being done: a bar with share and time left where the amount is known. Anywhere else it is silent. Reads
 * nothing from the keyboard: what is typed meanwhile is for the shell.
 */
export async function withProgress<Result>(
  shell: Shell,
  message: string,
  work: (say: Say) => Promise<Result>,
): Promise<Result> {
  if (!isWatched(shell)) return work(() => undefined)
  const began = performance.now()
  let shown: { readonly message: string; readonly share?: Done | undefined } = { message }
  let frame = 0
  const draw = (): void => {
    const seconds = (performance.now() - began) / 1_000
    shell.stderr.write(`\r${progressLine({ ...shown, seconds, frame: (frame += 1) }, shell.stderr.columns)}\u001B[K`)
  }
  const timer = setInterval(draw, DRAWN_EVERY_MS)
  try {
    return await work((said, share) => (shown = { message: said, share }))
  } finally {
    clearInterval(timer)
    if (frame > 0) shell.stderr.write('\r\u001B[K')
  }
}

/** A line that is drawn over again needs a terminal that knows its width, and somebody before it. */
function isWatched({ stderr, env }: Shell): boolean {
  return stderr.isTTY === true && stderr.columns > 0 && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb'
}
