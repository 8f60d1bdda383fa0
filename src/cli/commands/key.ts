import type { Command } from 'commander'
import type { NewKeyOptions } from '../../api/keys.ts'
import { type Key, verbs } from '../../domain/key.ts'
import { keyOperations } from '../../surface/keys.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Look } from '../look.ts'
import { table } from '../render/table.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const actions = ['list', 'create', 'revoke'] as const

type Options = CommonOptions & Pick<Partial<NewKeyOptions>, 'can'> & { readonly whole?: boolean }

export function keyCommand(shell: Shell): Command {
  const { scope: _scope, ...fields } = optionFields(keyOperations.create)
  const made = command('key', 'List, make or revoke the keys of a server on this memory', {
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
    .argument('[key]', 'the id of the key to revoke')
  return withOptions(made, fields)
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
    return { value: { keys }, rows: keys, text: (look) => renderKeys(keys, look) }
  })
}

function createKey(shell: Shell, options: Options): Promise<void> {
  const { scope, whole, can } = options
  if ((scope === undefined) === (whole !== true))
    throw new CommandError('usage', 'Cannot make a key: pass either --scope <path> or --whole')
  if (can === undefined) throw new CommandError('usage', `Cannot make a key: expected --can ${verbs.join(',')}`)
  return inMemory(shell, options, async ({ keys }) => {
    const key = await keys.create({
      ...givenOf(optionFields(keyOperations.create), options),
      can,
      scope: scope ?? null,
    })
    return {
      value: key,
      text: ({ paint }) => `${paint('bold', key.token)}\nShown once: only its hash is kept. Id ${key.id}`,
    }
  })
}

function renderKeys(keys: readonly Key[], { width }: Look): string {
  if (keys.length === 0) return 'No keys.'
  return table(
    ['id', 'name', 'scope', 'can', 'state'],
    keys.map((key) => [key.id, terminalLine(key.name), key.scope ?? '(all)', key.can.join(','), stateOf(key)]),
    { width },
  ).join('\n')
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`
  return expiresAt === null ? 'good' : `until ${expiresAt}`
}
