import type { Block, Blocks } from '../api/blocks.ts'
import { visibleJSON } from '../domain/visible-json.ts'
import { blockOperations } from '../surface/blocks.ts'
import { inputFrom } from './input-from.ts'
import { inWords } from './in-words.ts'
import type { Tool } from '../api/tool.ts'
import { countField, textField } from './tool-input.ts'

/** Where an agent finds its blocks: `memory.scope(path)` is one. */
export interface BlockScope {
  readonly name: string
  readonly blocks: Blocks
  session(id: string): { readonly blocks: Blocks }
}

export interface BlockToolOptions {
  /** Names of the blocks that the agent may change. @default all that belong to the session or to its scope */
  readonly writable?: readonly string[]
}

/**
 * The tools with which an agent reads and changes the blocks of its session and its scope. What it writes is stored as the
 * agent's words, so contexts show it as quoted data. Blocks that are inherited from an ancestor scope can only be read.
 *
 * @example
 * import { blockTools, openMemory } from 'daybook'
 * await using memory = await openMemory(':memory:')
 * const ada = memory.scope('acme/ada')
 * await ada.blocks.set('user', 'Ada lives in Paris.')
 * const tools = blockTools(ada, 'support-42') // for runTurn, or any other loop
 * const replace = tools.find(({ name }) => name === 'replace_in_block')
 * console.log(await replace?.execute({ name: 'user', replace: 'Paris', with: 'Rome' }))
 */
export function blockTools(scope: BlockScope, session: string, options: BlockToolOptions = {}): readonly Tool[] {
  const pad: Pad = { scope, session, writable: options.writable }
  return [readTool(pad), appendTool(pad), replaceTool(pad), rewriteTool(pad)].map(inWords)
}

interface Pad {
  readonly scope: BlockScope
  readonly session: string
  readonly writable: readonly string[] | undefined
}

/** A change that the agent must not make. The error says so in words. */
class NotWritable extends Error {}

function readTool({ scope, session }: Pad): Tool {
  return {
    name: 'read_block',
    description:
      'Read one of your memory blocks exactly as it is stored, with its version; without a name, all of them. Blocks are shown at the start of the conversation; read one before you change it if you are not sure of its words.',
    inputSchema: { ...inputFrom(blockOperations.get, ['name']), required: [] },
    async execute(input) {
      const name = textField(input, 'name')
      const { blocks } = scope.session(session)
      const found = name === '' ? await blocks.list() : [await blocks.get(name)].filter((block) => block !== undefined)
      if (found.length > 0) return found.map(shown).join('\n')
      const names = (await blocks.list()).map((block) => block.name)
      return name === ''
        ? 'There are no blocks.'
        : `There is no block ${visibleJSON(name)}. There are: ${names.join(', ') || 'none'}.`
    },
  }
}

function appendTool(pad: Pad): Tool {
  return {
    name: 'append_to_block',
    description:
      'Add a line to the end of one of your memory blocks: something worth having in view in every conversation.',
    inputSchema: { ...inputFrom(blockOperations.edit, ['name', 'append']), required: ['name', 'append'] },
    async execute(input) {
      const [name, append] = [textField(input, 'name'), textField(input, 'append')]
      if (name === '' || append === '') return 'Nothing was changed: expected name and append.'
      return changed(await (await owner(pad, name)).edit(name, { append }, { channel: 'agent' }))
    },
  }
}

function replaceTool(pad: Pad): Tool {
  return {
    name: 'replace_in_block',
    description:
      'Replace a text in one of your memory blocks that is out of date. The text to replace must occur exactly once, to the letter. With an empty text in its place it is removed.',
    inputSchema: {
      ...inputFrom(blockOperations.edit, ['name', 'replace', 'with']),
      required: ['name', 'replace', 'with'],
    },
    async execute(input) {
      const [name, replace, put] = [textField(input, 'name'), textField(input, 'replace'), textField(input, 'with')]
      if (name === '' || replace === '') return 'Nothing was changed: expected name, replace and with.'
      return changed(await (await owner(pad, name)).edit(name, { replace, with: put }, { channel: 'agent' }))
    },
  }
}

function rewriteTool(pad: Pad): Tool {
  return {
    name: 'rewrite_block',
    description:
      'Write one of your memory blocks from scratch, for example to shorten it when it is full. Everything that is not in the new text is gone. Takes the version that you have read, so that nothing newer is lost.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the block' },
        text: { type: 'string', description: 'The whole new text' },
        version: { type: 'integer', minimum: 1, description: 'The version of the block that you have read' },
      },
      required: ['name', 'text', 'version'],
      additionalProperties: false,
    },
    async execute(input) {
      const [name, text, expected] = [textField(input, 'name'), textField(input, 'text'), countField(input, 'version')]
      if (name === '' || text === '' || expected === undefined)
        return 'Nothing was changed: expected name, text and the version that you have read.'
      return changed(await (await owner(pad, name)).set(name, { text }, { channel: 'agent', expected }))
    },
  }
}

/** Whose a block is, to change it there: this session, or the scope that all its sessions share. */
async function owner({ scope, session, writable }: Pad, name: string): Promise<Blocks> {
  const { blocks } = scope.session(session)
  const block = await blocks.get(name)
  if (block === undefined) {
    const names = (await blocks.list()).map((one) => one.name)
    throw new NotWritable(`there is no block ${visibleJSON(name)}, expected one of ${names.join(', ') || 'none'}`)
  }
  if (writable !== undefined && !writable.includes(name))
    throw new NotWritable(`block ${name} is read-only, expected one of ${writable.join(', ')}`)
  if (block.session !== undefined) return blocks
  if (block.scope === scope.name) return scope.blocks
  throw new NotWritable(`block ${name} belongs to ${visibleJSON(block.scope)} and can only be read here`)
}

function changed({ name, version, tokens, limit }: Block): string {
  return `Changed: ${name} has ${tokens} of ${limit} tokens now, version ${version}.`
}

/** As JSON, so that the text of a block cannot pass for something else. */
function shown({ name, version, tokens, limit, description, schema, text }: Block): string {
  return visibleJSON({ name, version, tokens, limit, description, schema, text })
}
