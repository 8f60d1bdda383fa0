import { defined } from '../../domain/defined.ts'
import { type Command, Option } from 'commander'
import type { Block, BlockChange, BlockEdit, BlockSettings, Blocks } from '../../api/blocks.ts'
import { blockEdit, blockSettings } from '../../surface/block-shapes.ts'
import { blockOperations } from '../../surface/blocks.ts'
import { fieldsIn } from '../../surface/request-fields.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import type { CommandResult } from '../command-result.ts'
import { CommandError } from '../exit-status.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { counted, number, time } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly history?: boolean
  readonly undo?: boolean
  readonly delete?: boolean
}

/** The text is an argument. */
const { text: _text, ...settings } = fieldsIn(blockSettings)
const edits = fieldsIn(blockEdit)
const writing = optionFields(blockOperations.set)

export function blocksCommand(shell: Shell): Command {
  const made = command('blocks', 'List, read and change the texts that are in every context', {
    group: 'Conversations',
    of: 'scope',
    lists: true,
    creates: true,
    examples: [
      'daybook blocks --scope acme/ada',
      'daybook blocks --scope acme/ada user "Ada, lives in Paris." --limit 500',
      'daybook blocks --scope acme/ada user --replace Paris --with Rome',
      'daybook blocks --scope acme/ada user --undo',
    ],
  })
    .argument('[name]', 'a block, for example persona; without it, all are listed')
    .argument('[text]', 'the text that it gets')
    .addOption(new Option('-S, --session <id>', 'the session that has the block (default: the scope has it)'))
  return withOptions(made, { ...settings, ...edits, ...writing })
    .option('--history', 'list its changes, newest first')
    .option('--undo', 'undo its last change')
    .option('--delete', 'delete it; the history keeps it')
    .action(async (name: string | undefined, text: string | undefined, options: Options) =>
      inScope(shell, options, async (scope) => {
        const { blocks } = options.session === undefined ? scope : scope.session(options.session)
        return name === undefined ? listed(blocks, options) : named(blocks, name, { text, options })
      }),
    )
}

async function listed(blocks: Blocks, options: Options): Promise<CommandResult> {
  if (changesIn(undefined, options).length > 0)
    throw new CommandError('usage', 'Cannot change a block: no name given, for example daybook blocks user "…"')
  const found = await blocks.list()
  return {
    value: { blocks: found },
    rows: found,
    text: () => (found.length === 0 ? 'No blocks.' : found.map(shown).join('\n\n')),
  }
}

interface Asked {
  readonly text: string | undefined
  readonly options: Options
}

async function named(blocks: Blocks, name: string, { text, options }: Asked): Promise<CommandResult> {
  const wanted = changesIn(text, options)
  if (wanted.length > 1)
    throw new CommandError('usage', `Cannot do ${wanted.join(' and ')} at once: expected one of them`)
  const expecting = givenOf(optionFields(blockOperations.delete), options)
  switch (wanted[0]) {
    case undefined: {
      const block = await blocks.get(name)
      if (block === undefined) return { value: { block: null }, exit: 'notFound', text: () => 'No such block.' }
      return { value: block, text: () => shown(block) }
    }
    case 'history': {
      const changes = await blocks.history(name, givenOf(optionFields(blockOperations.history), options))
      return { value: { changes }, rows: changes, text: () => changes.map(told).join('\n') || 'No changes.' }
    }
    case 'undo': {
      const block = await blocks.undo(name, expecting)
      return {
        value: { block: block ?? null },
        text: () => (block === undefined ? 'Deleted: it was new.' : shown(block)),
      }
    }
    case 'delete': {
      const deleted = await blocks.delete(name, expecting)
      return {
        value: { deleted },
        exit: deleted ? 'ok' : 'notFound',
        text: () => (deleted ? 'Deleted.' : 'No such block here.'),
      }
    }
    case 'edit': {
      const edit = givenOf(edits, options) as unknown as BlockEdit
      const block = await blocks.edit(name, edit, givenOf(writing, options))
      return { value: block, text: () => shown(block) }
    }
    default: {
      const given: BlockSettings = { ...givenOf(settings, options), ...defined({ text }) }
      const block = await blocks.set(name, given, givenOf(writing, options))
      return { value: block, text: () => shown(block) }
    }
  }
}

/** What was asked for: one of the flags, an edit, or new settings. With `--history`, `--limit` is how many changes to list. */
function changesIn(text: string | undefined, options: Options): readonly string[] {
  const { limit: _limit, ...others } = settings
  const given = givenOf(options.history === true ? others : settings, options)
  return [
    ...(options.history === true ? ['history'] : []),
    ...(options.undo === true ? ['undo'] : []),
    ...(options.delete === true ? ['delete'] : []),
    ...(Object.keys(givenOf(edits, options)).length > 0 ? ['edit'] : []),
    ...(text !== undefined || Object.keys(given).length > 0 ? ['set'] : []),
  ]
}

function shown({ name, tokens, limit, version, description, text, scope, session, trust }: Block): string {
  const facts = [
    `${number(tokens)} of ${counted(limit, 'token')}`,
    `version ${version}`,
    session === undefined ? scope : `session ${session}`,
    ...(trust === 3 ? [] : [`trust ${trust}`]),
  ]
  return [`${name} (${facts.join(', ')})`, ...(description === undefined ? [] : [description]), text]
    .join('\n')
    .trimEnd()
}

function told({ version, at, text, tokens }: BlockChange): string {
  const what = text === undefined ? 'deleted' : `${counted(tokens ?? 0, 'token')} ${JSON.stringify(text)}`
  return `version ${version}  ${time(at)}  ${what}`
}
