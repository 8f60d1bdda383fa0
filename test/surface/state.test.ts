import { describe, expect, it } from 'vitest'
import { Transport } from '../../src/client/transport.ts'
import { remoteState } from '../../src/client/state.ts'
import type { SessionState } from '../../src/api/state.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

type Mistake = readonly [sentence: string, call: (state: SessionState) => Promise<unknown>]

const mistakes: readonly Mistake[] = [
  ['Cannot read the state: key is "", expected 1 to 512 characters, found 0', (state) => state.get('')],
  [
    'Cannot read the state: unknown option "asof", did you mean "asOf"?',
    (state) => state.snapshot({ asof: 1 } as never),
  ],
  [
    'Cannot set a value of the state: value is undefined, expected a JSON value',
    (state) => state.set('k', undefined as never),
  ],
  [
    'Cannot set a value of the state: value.at is the Date 2026-11-16T00:00:00.000Z, expected a JSON value',
    (state) => state.set('k', { at: new Date('2026-11-16') } as never),
  ],
  [
    'Cannot set a value of the state: expected is -1, expected a whole number, 0 or greater',
    (state) => state.set('k', 1, { expected: -1 }),
  ],
  [
    'Cannot read the history of the state: limit is 0, expected a positive whole number',
    (state) => state.history('k', { limit: 0 }),
  ],
  [
    'Cannot add a task: task is "Call Ada", expected an object with a description',
    (state) => state.tasks.add('Call Ada' as never),
  ],
  ['Cannot add a task: description is undefined, expected some text', (state) => state.tasks.add({} as never)],
  [
    'Cannot add a task: status is "Done", expected Pending or Running',
    (state) => state.tasks.add({ description: 'x', status: 'Done' as never }),
  ],
  ['Cannot update a task: progress is 2, expected a number from 0 to 1', (state) => state.tasks.progress('t', 2)],
  [
    'Cannot update a task: change is an object with no keys, expected either progress or status',
    (state) => state.tasks.update('t', {} as never),
  ],
  [
    'Cannot update a task: unknown field "status", expected one of progress',
    (state) => state.tasks.update('t', { progress: 1, status: 'Completed' } as never),
  ],
  ['Cannot update a task: reason is " ", expected some text', (state) => state.tasks.fail('t', ' ')],
  ['Cannot add a note: note is 42, expected text, or an object with text', (state) => state.notes.add(42 as never)],
  ['Cannot add a note: text is "", expected some text', (state) => state.notes.add('')],
  [
    'Cannot add a note: tags is "a", expected a list of at most 32 tags',
    (state) => state.notes.add({ text: 'x', tags: 'a' as never }),
  ],
  [
    'Cannot update a note: change is an object with no keys, expected an object with text, tags or done',
    (state) => state.notes.update('n', {}),
  ],
  ['Cannot list notes: text is 7, expected a string', (state) => state.notes.search(7 as never)],
]

describe('[surface-20] a wrong call of the state, its tasks or its notes', () => {
  it.each(mistakes)('%s', async (sentence, call) => {
    await using memory = await openMemory(':memory:')
    const fetch = (): never => expect.unreachable('nothing is sent')
    const remote = remoteState(new Transport('http://127.0.0.1:1', { key: 'k', fetch }), { scope: 'a', session: 's' })
    for (const state of [memory.scope('a').session('s').state, remote])
      await expect(call(state)).rejects.toMatchObject({ code: 'input/invalid', message: sentence })
  })
})
