import { spawnSync } from 'node:child_process'
import type { Shell } from './shell.ts'

/** Ends by itself if all fits on the screen, shows colours, and leaves the text on the screen. */
const PAGER_DEFAULT = 'less -FRX'

/**
 * Shows a text that is longer than the terminal in the pager of the environment (`PAGER`, otherwise `less`). Returns `false` where there
 * is nobody to turn pages, or no pager: the text is then to be written as it is.
 */
export function showPages({ stdin, stdout, env }: Shell, text: string): boolean {
  const pager = env['PAGER'] ?? PAGER_DEFAULT
  if (stdout.isTTY !== true || stdin.isTTY !== true || pager === '' || env['TERM'] === 'dumb') return false
  const { rows = 0 } = stdout
  if (rows === 0 || text.split('\n').length <= rows) return false
  // Its shell says 127 where there is no such program.
  const { status, error } = spawnSync('/bin/sh', ['-c', pager], { input: text, stdio: ['pipe', 'inherit', 'inherit'] })
  const isMissing = status === 127 || (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  return !isMissing
}
