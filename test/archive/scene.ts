import type { MemoryOptions } from '../../src/api/open-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

/** A clock that moves by itself: nothing depends on when a test runs. */
function ticking(start: number = Date.UTC(2026, 0, 1)): NonNullable<MemoryOptions['clock']> {
  let now = start
  return { now: () => (now += 1_000) }
}

/** A memory that ends with its block. */
export async function fresh(options: MemoryOptions = {}): Promise<Memory> {
  return openMemory(':memory:', { learn: false, clock: ticking(), ...options })
}

/** The whole archive as text. */
export async function textOf(archive: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of archive) text += piece
  return text
}

/** A little of everything that a memory can hold. */
export async function fill(memory: Memory): Promise<void> {
  await fillLog(memory)
  await fillKnowledge(memory)
}

async function fillLog(memory: Memory): Promise<void> {
  const ada = memory.scope('acme/ada')
  const chat = ada.session('support', { description: 'You are terse. \u0000 \ud800' })
  await chat.append([
    {
      role: 'user',
      id: 'q',
      content: 'Order 7731 is late. é漢🎉 \u0000 \udfff',
      tags: ['late'],
      metadata: { a: [1, null] },
    },
    { role: 'assistant', id: 'call', toolCalls: [{ id: 'c-1', name: 'find', arguments: { order: 7731 } }] },
    { role: 'tool', id: 'result', toolCallId: 'c-1', content: 'on its way' },
    { role: 'assistant', id: 'a', content: 'On its way.' },
  ])
  await chat.append(
    { role: 'user', id: 'image', content: 'Look', images: [Buffer.from('pixels')] },
    { operationId: 'operation/1' },
  )
  await chat.revise('a', { content: 'It is on its way.', images: [Buffer.from('other pixels')] })
  const branch = await chat.fork('branch', { at: 3 })
  await branch.append({ role: 'user', id: 'branched', content: 'Never mind.' })
  await chat.remove('image')
  await branch.clear()
  await branch.append({ role: 'user', id: 'last', content: 'Hello again.' })
  await (await branch.fork('twig')).append({ role: 'user', id: 'leaf', content: 'Out here.' })
  await chat.fork('bare')
  const long = ada.session('long')
  for (let turn = 0; turn < 12; turn++)
    await long.append([
      { role: 'user', content: `Question ${turn}: ${'why is order 7731 so late and where is it '.repeat(8)}` },
      { role: 'assistant', content: `Answer ${turn}: ${'because the depot in Malmö was closed all week '.repeat(8)}` },
    ])
  await long.compact({ force: true, budget: 400 })
  await long.append({ role: 'user', content: 'And now?' })
  await long.compact({ force: true, budget: 300 })
  await long.undo()
  await long.usage({ model: 'gpt-5', inputTokens: 1_234, estimatedTokens: 1_000 })
  const [early] = await long.history({ limit: 1 })
  await ada.forget({ message: early?.id ?? '', session: 'long' }, { reason: 'asked for' })
  await ada.session('brief').append({ role: 'user', content: 'Forget all of this.' })
  await ada.forget({ session: 'brief' })
  await long.state.set('mood', 'calm')
  await long.state.set('mood', 'late')
  await long.state.tasks.add({ description: 'find order 7731' })
  await chat.state.set('gone', 1)
  await chat.state.delete('gone')
  await memory.scope('acme').session('hall').append({ role: 'user', content: 'For all.' })
  await memory.scope('acme-two/bob').session('support').append({ role: 'user', content: 'Another owner.' })
}

async function fillKnowledge(memory: Memory): Promise<void> {
  const ada = memory.scope('acme/ada')
  await ada.predicate('lives in', { single: true })
  await ada.remember([
    { subject: 'Ada', predicate: 'lives in', object: { entity: 'Malmö' } },
    { subject: 'Ada', predicate: 'prefers', object: 'email', sources: [{ session: 'support', message: 'q' }] },
    { subject: 'Countess Lovelace', predicate: 'wrote', object: 'notes' },
  ])
  const [moved] = await ada.remember({ subject: 'Ada', predicate: 'lives in', object: { entity: 'Lund' } })
  await ada.retract(moved.id, 'not yet')
  const proposal = await ada.propose({ merge: ['Ada', 'Countess Lovelace'] })
  await ada.apply(proposal.id)
  await ada.remember({ subject: 'Secret', predicate: 'is', object: 'gone' })
  await ada.forget({ subject: 'Secret' })
  await memory.scope('acme').remember({ subject: 'Acme', predicate: 'sells', object: 'anvils' })
  await memory.scope('zeta').remember({ subject: 'Zeta', predicate: 'is', object: 'last' })
}

/** What a reader of the memory sees. */
export async function readAll(memory: Memory): Promise<unknown> {
  const scopes = ['acme', 'acme/ada', 'acme-two/bob', 'zeta']
  return Promise.all(
    scopes.map(async (name) => {
      const scope = memory.scope(name)
      const { sessions } = await scope.sessions({ limit: 100 })
      return {
        sessions,
        logs: await Promise.all(
          sessions.map(async ({ id }) => {
            const session = scope.session(id)
            const history = await session.history()
            return {
              history,
              window: await session.window(),
              stats: await session.stats(),
              blobs: [...(await session.blobs(history))],
            }
          }),
        ),
        facts: await scope.facts({ includeClosed: true }),
        version: await scope.knowledgeVersion(),
        entities: await scope.entities(),
        predicates: await scope.predicates(),
        proposals: await scope.proposals(),
      }
    }),
  )
}
