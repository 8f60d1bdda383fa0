import type { Command } from 'commander'
import { type Key, type Verb, verbs } from '../../domain/key.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { table } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const actions = ['list', 'create', 'revoke'] as const

type Options = CommonOptions & {
  readonly can?: string
  readonly name?: string
  readonly expires?: string
  readonly whole?: boolean
}

export function keyCommand(shell: Shell): Command {
  return command('key', 'List, make or revoke the keys of a server on this memory', {
    group: 'The memory',
    of: 'scope',
    lists: true,
    examples: [
      'daybook key create --scope acme/ada --can read,write --name laptop',
      'daybook key',
      'daybook key revoke key-id',
    ],
  })
    .argument('[action]', actions.join(', '), 'list')
    .argument('[key]', 'its id, to revoke')
    .option('--can <verbs>', `what it may do: ${verbs.join(', ')}, with commas between`)
    .option('--name <name>', 'what you call it')
    .option('--expires <time>', 'when it ends, as 2027-01-31')
    .option('--whole', 'for the whole memory instead of a scope')
    .action(async (action: string, id: string | undefined, options: Options) => {
      if (action === 'list') return listKeys(shell, options)
      if (action === 'create') return createKey(shell, options)
      if (action !== 'revoke')
        throw new CommandError('usage', `Cannot ${JSON.stringify(action)} keys: expected ${actions.join(', ')}`)
      if (id === undefined) throw new CommandError('usage', 'Cannot revoke: expected the id of a key')
      return inMemory(shell, options, async ({ keys }) => {
        const key = await keys.revoke(id)
        return { value: key, text: () => `Revoked ${key.id} (${terminalLine(key.name)})` }
      })
    })
}

function listKeys(shell: Shell, options: Options): Promise<void> {
  return inMemory(shell, options, async (memory) => {
    const keys = await memory.keys.list()
    return { value: { keys }, rows: keys, text: () => renderKeys(keys) }
  })
}

function createKey(shell: Shell, options: Options): Promise<void> {
  const { scope, whole, can, name, expires } = options
  if ((scope === undefined) === (whole !== true))
    throw new CommandError('usage', 'Cannot make a key: expected either --scope <path> or --whole')
  if (can === undefined) throw new CommandError('usage', `Cannot make a key: expected --can ${verbs.join(',')}`)
  return inMemory(shell, options, async ({ keys }) => {
    const key = await keys.create({
      scope: scope ?? null,
      can: can.split(',').map((verb) => verb.trim()) as readonly Verb[],
      ...(name === undefined ? {} : { name }),
      ...(expires === undefined ? {} : { expiresAt: expires }),
    })
    return {
      value: key,
      text: ({ paint }) => `${paint('bold', key.token)}\nShown once: only its hash is kept. Id ${key.id}`,
    }
  })
}

function renderKeys(keys: readonly Key[]): string {
  if (keys.length === 0) return 'No keys.'
  return table(
    ['id', 'name', 'scope', 'can', 'state'],
    keys.map((key) => [key.id, terminalLine(key.name), key.scope ?? '(all)', key.can.join(','), stateOf(key)]),
  ).join('\n')
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`
  return expiresAt === null ? 'good' : `until ${expiresAt}`
}
