import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { NewMessage } from '../../src/index.ts'
import { LocalMemory } from '../../src/memory/memory.ts'

const say = (text: string, id?: string): NewMessage => ({
  role: 'user',
  content: text,
  ...(id === undefined ? {} : { id }),
})

describe('forgetting', () => {
  it('[forget-1] leaves no page of a file behind', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    await ada.session('chat').append([say('Zanzibaroo', 'one'), say('two')])
    const receipt = await ada.forget({ message: 'one' })
    expect(receipt).toMatchObject({ messages: 1, pending: [] })
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ ok: true, found: [] })
  })

  it('[forget-1] leaves nothing of a session, its name neither', async () => {
    await using memory = await openMemory(':memory:')
    const ada = memory.scope('acme/ada')
    const chat = ada.session('about Nabucco', { description: 'Nabucco is the topic' })
    await chat.append(say('Nabucco is an opera', 'one'))
    await (await chat.fork('second Nabucco')).append(say('Nabucco again'))
    await memory.settled()
    await ada.recall('Nabucco')
    await expect(ada.forget({ session: 'about Nabucco' })).rejects.toMatchObject({
      code: 'log/has-forks',
      details: { forks: ['second Nabucco'] },
    })
    const receipt = await ada.forget({ session: 'about Nabucco' }, { forks: true })
    expect(receipt).toMatchObject({ messages: 3, sessions: ['about Nabucco', 'second Nabucco'] })
    expect((await ada.sessions()).sessions).toEqual([])
    expect((await memory.jobs.list()).filter(({ subject }) => subject.includes('Nabucco'))).toEqual([])
    expect(await memory.verifyForgotten(receipt, ['Nabucco'])).toMatchObject({ ok: true, found: [] })
    await expect(chat.append(say('Nabucco is an opera', 'one'))).rejects.toMatchObject({ code: 'log/forgotten' })
    await chat.append(say('A new beginning'))
    expect(await chat.count()).toBeGreaterThan(0)
    expect(await memory.verify()).toMatchObject({ ok: true })
  })

  it('[forget-2] is told from damage: a row that nobody forgot is reported', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const chat = memory.scope('acme/ada').session('chat')
    await chat.append([say('one'), say('two')])
    const { store } = LocalMemory.partsOf(memory)
    const head = await store.log.session('acme/ada', 'chat')
    const erasure = {
      key: head?.key ?? 0,
      scope: 'acme/ada',
      name: 'chat',
      what: [],
      own: [1],
      compactedThrough: 0,
      rewrite: [],
    }
    await store.erasure.erase({
      id: 'x',
      at: 0,
      reason: '',
      scope: 'acme/ada',
      sessions: [erasure],
      facts: [],
      sources: [],
      entities: [],
      amend: (session) => ({ rows: [], session }),
      nameOf: () => 'name',
    })
    const { damage } = await memory.verify()
    expect(damage).toMatchObject([{ what: 'message', seq: 1, message: expect.stringContaining('nobody forgot it') }])
  })

  it('refuses what it does not understand', async () => {
    await using memory = await openMemory(':memory:')
    const ada = memory.scope('acme/ada')
    const invalid = { code: 'input/invalid' }
    await expect(ada.forget({ sesion: 'x' } as never)).rejects.toMatchObject(invalid)
    await expect(ada.forget({} as never)).rejects.toMatchObject(invalid)
    await expect(ada.forget({ fact: 'x', subject: 'y' } as never)).rejects.toMatchObject(invalid)
    await expect(ada.forget({ session: 'x' }, { fork: true } as never)).rejects.toMatchObject(invalid)
    await expect(ada.forget({ session: 'x' })).rejects.toMatchObject({ code: 'log/not-found' })
    await expect(memory.verifyForgotten({ id: 'x' } as never, ['abc'])).rejects.toMatchObject(invalid)
  })
})
