import { describe, expect, it } from 'vitest'
import { type Scene, openScene } from './scene.ts'

interface Results {
  readonly results: readonly { readonly id: string; readonly memory: string; readonly name: string }[]
}

async function ask({ ask: send }: Scene, path: string, options: { method?: string; body?: unknown } = {}) {
  const response = await send(path, options)
  return { status: response.status, ...((await response.json()) as Results) }
}

const remove = { method: 'DELETE' }

async function archiveOf({ memory }: Scene): Promise<string> {
  await memory.settled()
  let archive = ''
  for await (const piece of memory.export()) archive += piece
  return archive
}

/** A question with its reply, and a memory that is deleted by its id. */
async function converse(scene: Scene, owner: object): Promise<void> {
  const messages = [
    { role: 'user', content: 'I live in Berlin.' },
    { role: 'assistant', content: 'Berlin, noted.' },
    { role: 'user', content: 'I was born in Bremen.' },
  ]
  const { results } = await ask(scene, '/v1/memories', { body: { messages, ...owner } })
  await scene.memory.settled()
  expect(await ask(scene, `/v1/memories/${results[1]?.id}`, remove)).toMatchObject({ status: 200 })
}

describe('[hosts-60] deleting by owner, for clients of Mem0', () => {
  it.each([['user_id=ada&run_id=r1'], ['agent_id=cook'], ['agent_id=cook&run_id=r1'], ['run_id=r1']])(
    'destroys all that %s names, replies and deleted memories too, and nothing else',
    async (query) => {
      await using scene = await openScene({ memory: { learn: 'patterns' } })
      await converse(scene, { user_id: 'ada', agent_id: 'cook', run_id: 'r1' })
      const other = { messages: 'I play the cello.', user_id: 'ada', run_id: 'r2' }
      await ask(scene, '/v1/memories', { body: other })
      expect(await archiveOf(scene)).toMatch(/Berlin[^]*Bremen/)
      expect(await ask(scene, `/v1/memories?${query}`, remove)).toMatchObject({ status: 200 })
      const archive = await archiveOf(scene)
      expect(archive).not.toMatch(/Berlin|Bremen/i)
      expect(archive).toContain('cello')
    },
  )

  it.each([['/v1/memories?user_id=ada'], ['/v2/entities/user/ada']])(
    'destroys all that a user has with %s: blocks, records, states, forks, scopes below',
    async (path) => {
      await using scene = await openScene({ memory: { learn: 'patterns' } })
      await converse(scene, { user_id: 'ada', run_id: 'r1' })
      const ada = scene.memory.scope('mem0/user/ada')
      await ada.session('r1').fork('r2')
      await ada.blocks.set('human', 'secret of a block')
      await ada.records('notes').put('one', { text: 'secret of a record' })
      await ada.session('only').state.set('step', 'secret of a state')
      await ada.remember({ text: 'secret of a fact' })
      await scene.memory.scope('mem0/user/ada/deep').remember({ text: 'secret below' })
      expect(await archiveOf(scene)).toContain('secret')
      expect(await ask(scene, path, remove)).toMatchObject({ status: 200 })
      expect(await archiveOf(scene)).not.toMatch(/Berlin|Bremen|secret/i)
      expect((await ask(scene, '/v1/entities')).results).toEqual([])
    },
  )
})
