import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

/** Names that `docs/forget.md` lists as staying. */
const STAY = ['canarykey', 'canarymodel']
const GONE = [
  'canarydeclared',
  'canarysession',
  'canarystate',
  'canarytag',
  'canarytool',
  'canaryoperation',
  'canarymessage',
  'canarynote',
  'canarytask',
  'canaryblock',
  'canarycollection',
  'canaryrecord',
  'canarysubject',
  'canarypredicate',
  'canaryentity',
  'canarymetadata',
]

it('[walls-296] after everything of a scope is forgotten, a name is only where the documentation says that it stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-names-'))
  try {
    await using memory = await openMemory(join(folder, 'a.db'), { learn: false })
    const scope = memory.scope('acme')
    const chat = scope.session('canarysession')
    await chat.append(
      [
        { id: 'canarymessage', role: 'user', content: 'Hi', tags: ['canarytag'], metadata: { canarymetadata: 1 } },
        { role: 'assistant', toolCalls: [{ id: 'c', name: 'canarytool', arguments: {} }] },
      ],
      { operationId: 'canaryoperation' },
    )
    await chat.state.set('canarystate', 1)
    await chat.state.notes.add({ text: 'canarynote' })
    await chat.state.tasks.add({ description: 'canarytask' })
    await scope.blocks.set('canaryblock', { text: 'x' })
    await scope.records('canarycollection').put('canaryrecord', { a: 1 })
    await scope.predicate('canarydeclared', { single: true })
    await scope.remember({ subject: 'canarysubject', predicate: 'canarypredicate', object: { entity: 'canaryentity' } })
    await chat.usage({ model: 'canarymodel', inputTokens: 20, estimatedTokens: 10 })
    await memory.keys.create({ scope: 'acme', can: ['read'], name: 'canarykey' })
    await memory.settled()
    const receipt = await scope.forget({ everything: true })
    await memory.settled()
    const samples = [...GONE, ...STAY]
    const { found } = await memory.verifyForgotten(receipt, samples)
    expect(new Set(found.map(({ sample }) => samples[sample]))).toEqual(new Set(STAY))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
