import type { Block, BlockChange } from '../api/blocks.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mustHave } from '../shape/object.ts'
import type { RequiredField } from '../shape/shape.ts'
import { aNull } from '../shape/values.ts'
import {
  aBlock,
  aBlockName,
  blockChange,
  blockEdit,
  blockHistoryOptions,
  blockSettings,
  blockWriteOptions,
} from './block-shapes.ts'
import { noun } from './noun.ts'
import type { Described, Operation } from './operation.ts'
import { SCOPE, SESSION } from './paths.ts'
import { deleted, expecting } from './state.ts'

const name: RequiredField<string> = mustHave(aBlockName, 'The name of the block')

type Read = 'list' | 'get' | 'history'
type Write = 'set' | 'edit' | 'undo' | 'delete'
type BlockOperations = Readonly<Record<Read | Write, Operation>>
type Owner = 'scope' | 'session'

function reads(owner: Owner, base: string): Readonly<Record<Read, Described>> {
  const all = `${base}/blocks`
  const one = `${all}/{name}`
  return {
    list: {
      help: `List the blocks of a ${owner}, inherited ones included, as contexts show them`,
      attempt: 'list blocks',
      call: 'blocks.list',
      can: 'read',
      method: 'get',
      path: all,
      answer: anObject<{ readonly blocks: readonly Block[] }>(undefined, {
        blocks: mustHave(aListOf(aBlock), 'The blocks'),
      }),
      as: 'blocks',
      writes: false,
    },
    get: {
      help: `Read a block of a ${owner}, own or inherited`,
      attempt: 'read a block',
      call: 'blocks.get',
      can: 'read',
      method: 'get',
      path: one,
      takes: { name },
      answer: aBlock,
      missing: 'state/not-found',
      writes: false,
    },
    history: {
      help: `List the changes of a block of a ${owner}, newest first`,
      attempt: 'read the history of a block',
      call: 'blocks.history',
      can: 'read',
      method: 'get',
      path: `${one}/history`,
      takes: { name },
      options: blockHistoryOptions,
      answer: anObject<{ readonly changes: readonly BlockChange[] }>(undefined, {
        changes: mustHave(aListOf(blockChange), 'The changes, newest first'),
      }),
      as: 'changes',
      writes: false,
    },
  }
}

function writes(owner: Owner, base: string): Readonly<Record<Write, Described>> {
  const one = `${base}/blocks/{name}`
  return {
    set: {
      help: `Set a block of a ${owner}, or make one. What is left out stays as it is`,
      attempt: 'set a block',
      call: 'blocks.set',
      can: 'write',
      method: 'put',
      path: one,
      takes: { name, block: mustHave(blockSettings, 'What to set') },
      spreads: 'block',
      options: blockWriteOptions,
      answer: aBlock,
      writes: true,
    },
    edit: {
      help: `Change a part of a block of a ${owner}: append a line, replace a text that occurs exactly once, or merge fields`,
      attempt: 'edit a block',
      call: 'blocks.edit',
      can: 'write',
      method: 'patch',
      path: one,
      takes: { name, edit: mustHave(blockEdit, 'What to change') },
      spreads: 'edit',
      options: blockWriteOptions,
      answer: aBlock,
      writes: true,
    },
    undo: {
      help: `Take back the last change of a block of a ${owner}`,
      attempt: 'undo a change of a block',
      call: 'blocks.undo',
      can: 'write',
      method: 'post',
      path: `${one}/undo`,
      takes: { name },
      options: expecting,
      answer: anObject<{ readonly block: Block | null }>(undefined, {
        block: mustHave(either([aBlock, aNull]), 'The block; null if there was none before'),
      }),
      as: 'block',
      writes: true,
    },
    delete: {
      help: `Delete a block of a ${owner}. The history keeps it`,
      attempt: 'delete a block',
      call: 'blocks.delete',
      can: 'write',
      method: 'delete',
      path: one,
      takes: { name },
      options: expecting,
      answer: deleted,
      as: 'deleted',
      writes: true,
    },
  }
}

export const blockOperations: BlockOperations = noun('blocks', { ...reads('scope', SCOPE), ...writes('scope', SCOPE) })

export const sessionBlockOperations: BlockOperations = noun('sessionBlocks', {
  ...reads('session', SESSION),
  ...writes('session', SESSION),
})
