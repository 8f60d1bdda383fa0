import { PassThrough } from 'node:stream'

import type { Command } from 'commander'

import type { Shell, Surroundings } from '../../src/cli/shell.ts'

const sink = (): Surroundings['stdout'] => Object.assign(new PassThrough(), { isTTY: false, columns: 80 })

/** A shell that nobody reads: for looking at commands without running one. */
export const shellForHelp: Shell = {
  stdin: Object.assign(new PassThrough(), { isTTY: false }) as unknown as Surroundings['stdin'],
  stdout: sink(),
  stderr: sink(),
  env: {},
  argv: [],
  end: () => undefined,
}

/** The words of a command line that name no command and no option of it. */
export function unknownWords(root: Command, words: readonly string[]): string[] {
  const [name] = words
  if (name === undefined || name === 'help' || name.startsWith('-')) return []
  const command = root.commands.find((one) => one.name() === name || one.aliases().includes(name))
  if (command === undefined) return [name]
  const flags = command.options.flatMap(({ long, short }) => [long, short])
  return words.filter((word) => /^--?[a-z]/.test(word) && !flags.includes(word.split('=')[0]) && word !== '--help')
}
