import type { Shell } from './shell.ts'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const

const WIDTH_MIN = 40
const WIDTH_DEFAULT = 80

export type Style = keyof typeof codes

/** How a text is to look where it is shown. */
export interface Look {
  /** Colours it, or leaves it as it is. */
  paint(style: Style, text: string): string
  /** Columns to wrap at; `undefined` where nobody looks at a screen. */
  readonly width: number | undefined
}

/** For files, pipes and tests. */
export const plain: Look = { paint: (_, text) => text, width: undefined }

/** Colours only on a terminal, unless the environment says otherwise (https://no-color.org, https://force-color.org). */
export function lookOf(stream: Shell['stdout'], env: Shell['env']): Look {
  const terminal = stream.isTTY === true
  // Zero where a terminal does not know its size.
  const width = terminal ? Math.max(WIDTH_MIN, stream.columns || WIDTH_DEFAULT) : undefined
  if (!isColoured(terminal, env)) return { ...plain, width }
  return { paint: (style, text) => `\u001B[${codes[style]}m${text}\u001B[0m`, width }
}

function isColoured(terminal: boolean, env: Shell['env']): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return terminal && env['TERM'] !== 'dumb'
}
