import { expect, it } from 'vitest'
import { diagnoseMemory } from '../../src/doctor/diagnose-memory.ts'
import { openMemory } from '../../src/index.ts'

/** Put together here: a scanner of this repository is to find nothing. */
const key = `sk-proj-${'aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC'.repeat(2).slice(0, 48)}`

it('[doc-1] [doc-2] finds a secret wherever a memory holds it, once, and says where and not what', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  // Nobody ever spoke in this scope.
  await memory.scope('facts').remember({ text: `The key is ${key}` })
  const scope = memory.scope('team')
  const [first] = await scope.session('revised').append({ role: 'user', content: `It is ${key}` })
  await scope.session('revised').revise(first?.id ?? '', { content: 'It is secret' })
  const [second] = await scope.session('twice').append({ role: 'user', content: 'nothing' })
  await scope.session('twice').revise(second?.id ?? '', { content: `It is ${key}` })
  const { state } = scope.session('revised')
  await state.set('mine', { text: key })
  await state.set('mine', { text: 'gone, but for the history' })
  await state.notes.add({ text: key })
  await state.set(key, 1)
  await memory.scope('team/below').session('quiet').append({ role: 'user', content: 'Hello.' })

  const { findings } = await diagnoseMemory(memory)
  const told = findings.map(({ rule, place, message }) =>
    [
      rule,
      place.scope,
      place.session,
      place.seq,
      /\(([a-z][^)]*)\)$/.exec(message)?.[1]?.replace(/ [\da-f-]{36}$/, ''),
    ].join(' '),
  )
  expect(told.toSorted()).toEqual([
    'secret facts   fact',
    'secret team revised  note',
    'secret team revised  state "mine"',
    'secret team revised 1 earlier words of the message',
    'secret team twice 1 ',
  ])
  expect(JSON.stringify(findings)).not.toContain(key)
  expect((await diagnoseMemory(memory, { ignore: ['secret'] })).findings).toEqual([])
})
