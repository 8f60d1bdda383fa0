import type { Command } from 'commander'

/** What an option is called elsewhere, here or in other tools. */
const SAME: readonly (readonly string[])[] = [
  ['--limit', '--last', '--top-k', '--count', '-n'],
  ['--memory', '--db', '--file', '--database'],
  ['--scope', '--user', '--user-id', '--tenant'],
  ['--session', '--thread', '--conversation', '--id'],
  ['--text', '--query', '--filter'],
  ['--as-of', '--at'],
  ['--yes', '--force', '-y'],
  ['--out', '--output', '-o'],
]

const COMMANDS_NAMED = 4

/** What to say about an option that a command does not have: how it is called here, or which commands have it. */
export function otherOptions(root: Command, name: string, unknown: string): string | undefined {
  const flag = unknown.split('=')[0] ?? ''
  const own = optionsOf(root.commands.find((command) => command.name() === name || command.aliases().includes(name)))
  const synonym = SAME.find((names) => names.includes(flag))?.find((other) => own.includes(other))
  if (synonym !== undefined) return `it is called ${synonym} here`
  const others = root.commands.filter((command) => optionsOf(command).includes(flag)).map((command) => command.name())
  if (others.length === 0) return undefined
  const listed = others.slice(0, COMMANDS_NAMED).join(', ')
  return `it is an option of ${listed}${others.length > COMMANDS_NAMED ? ' and others' : ''}, not of ${name}`
}

function optionsOf(command: Command | undefined): readonly string[] {
  return command?.options.flatMap(({ long, short }) => [long ?? '', short ?? '']) ?? []
}
