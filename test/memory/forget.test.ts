import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MockInstance, describe, expect, it, vi } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { NewMessage } from '../../src/index.ts'
import { teach } from '../../src/knowledge/learn/teach.ts'
import { resumeForgetting } from '../../src/forgetting/carry-out.ts'
import { teacherFor } from '../../src/knowledge/learn/learning.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { Scope } from '../../src/api/scope.ts'
import type { ErasureStore } from '../../src/ports/erasure-store.ts'
import { readArchive, source } from '../fault/archive-text.ts'

const say = (text: string, id?: string): NewMessage => ({
  role: 'user',
  content: text,
  ...(id === undefined ? {} : { id }),
})

/** Does something before the next call, as another process would. */
function before(
  store: ErasureStore,
  name: 'begin' | 'erase',
  first: () => Promise<unknown>,
): Pick<MockInstance, 'mockRestore'> {
  const own = store[name] as (argument: unknown) => Promise<unknown>
  return vi.spyOn(store as Record<typeof name, typeof own>, name).mockImplementationOnce(async (argument) => {
    await first()
    return own(argument)
  })
}

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

  it('[forget-1] [forget-2] takes a description along where a fork has a copy of it, also one that shares no message', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    const chat = ada.session('chat', { description: 'Nabucco is the topic' })
    await chat.append(say('one', 'one'))
    await chat.fork('none', { at: 0 })
    await ada.session('none').append(say('two', 'two'))
    await ada.session('none').fork('none of that', { at: 0 })
    const [first] = await chat.history()
    expect(first?.parts).toEqual([{ type: 'text', text: 'Nabucco is the topic' }])
    // One more comes while the plan is made.
    before(LocalMemory.partsOf(memory).store.erasure, 'erase', () => chat.fork('meanwhile', { at: 0 }))
    const receipt = await ada.forget({ message: first?.id ?? '' })
    expect(receipt.sessions.toSorted()).toEqual(['chat', 'meanwhile', 'none', 'none of that'])
    expect((await ada.sessions()).sessions.map(({ description }) => description)).toEqual([null, null, null, null])
    expect(await memory.verifyForgotten(receipt, ['Nabucco'])).toMatchObject({ ok: true, found: [] })
    expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    expect((await ada.session('none').history()).map(({ id }) => id)).toEqual(['two'])
    await using other = await openMemory(':memory:', { learn: false })
    await other.import(source(await readArchive(memory.export())))
    expect(await other.verify()).toMatchObject({ ok: true, damage: [] })
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
      foldsThrough: 0,
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

  it('[forget-1] does not take a session that was begun again under the same name for the one it was to forget', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    const chat = ada.session('chat')
    await chat.append([say('Zanzibaroo', 'one'), say('two')])
    const parts = LocalMemory.partsOf(memory)
    for (const what of [{ session: 'chat' }, { message: 'one' }]) {
      const killed = before(parts.store.erasure, 'erase', () => Promise.reject(new Error('killed')))
      await expect(ada.forget(what)).rejects.toThrow('killed')
      killed.mockRestore()
    }
    await ada.forget({ session: 'chat' })
    await chat.append(say('A new beginning'))
    const unfinished = await parts.store.erasure.unfinished()
    expect(unfinished).toHaveLength(2)
    for (const row of unfinished) await resumeForgetting(parts, row)
    expect(await parts.store.erasure.unfinished()).toEqual([])
    expect((await chat.history()).map(({ parts: said }) => said)).toEqual([[{ type: 'text', text: 'A new beginning' }]])
  })

  it('[forget-1] finds forks that were made after it had looked', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    await ada.session('chat').append([say('Zanzibaroo', 'one'), say('Quuxopolis', 'two')])
    const { store } = LocalMemory.partsOf(memory)
    before(store.erasure, 'erase', () => ada.session('chat').fork('second'))
    expect(await ada.forget({ message: 'one' })).toMatchObject({ sessions: ['chat', 'second'] })
    before(store.erasure, 'erase', () => ada.session('second').fork('before', { at: 1 }))
    expect(await ada.forget({ message: 'two' })).toMatchObject({ sessions: ['chat', 'second'] })
    before(store.erasure, 'erase', () => ada.session('second').fork('third'))
    const receipt = await ada.forget({ session: 'chat' }, { forks: true })
    expect(receipt.sessions.toSorted()).toEqual(['before', 'chat', 'second', 'third'])
    expect(await memory.verify()).toMatchObject({ ok: true, sessions: 0 })
  })

  it('[forget-1] in two processes of one fold brings nothing back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'daybook-forget-'))
    try {
      await using memory = await openMemory(join(directory, 'one.db'), { learn: false })
      await using other = await openMemory(join(directory, 'one.db'), { learn: false })
      const [ada, again] = [memory, other].map((opened) => opened.scope('acme/ada')) as [Scope, Scope]
      const chat = ada.session('chat')
      for (const name of ['Zanzibaroo', 'Quuxopolis'])
        await chat.append(say(`We decided to use ${name}-1111 for the error. ${'It is long. '.repeat(40)}`, name))
      for (let turn = 0; turn < 6; turn++) await chat.append(say(`And part ${turn}? ${'It is long. '.repeat(40)}`))
      const steps = [{ stage: 'summarise', unit: 'range' }] as const
      const policy = { name: 'all', high: {}, low: { mark: { tokens: 0 } }, steps, advance: 'until-low' } as const
      expect((await chat.compact({ force: true, policy })).type).toBe('compacted')
      before(LocalMemory.partsOf(memory).store.erasure, 'erase', () => again.forget({ message: 'Zanzibaroo' }))
      const receipt = await ada.forget({ message: 'Quuxopolis' })
      const { store } = LocalMemory.partsOf(memory)
      expect(await memory.verifyForgotten(receipt, ['Zanzibaroo', 'Quuxopolis'])).toMatchObject({ found: [] })
      expect(await store.erasure.unfinished()).toEqual([])
      expect(await memory.verify()).toMatchObject({ ok: true, forgotten: 2 })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('[forget-1] takes along what was learned after it had looked', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    await ada.session('chat').append([say('I live in Zanzibaroo', 'one'), say('two')])
    const { store } = LocalMemory.partsOf(memory)
    const learn = (object: string) => () =>
      ada.remember({ subject: 'Ada', predicate: 'visits', object: { entity: object }, sources: ['one'] })
    await learn('Xanadu')()
    before(store.erasure, 'begin', learn('Zanzibaroo'))
    before(store.erasure, 'erase', learn('Quuxopolis'))
    const receipt = await ada.forget({ message: 'one' })
    expect(receipt).toMatchObject({ facts: 3, messages: 1 })
    expect(new Set(receipt.ids).size).toBe(3)
    expect(await ada.facts()).toEqual([])
    expect(await memory.verifyForgotten(receipt, ['Xanadu', 'Zanzibaroo', 'Quuxopolis'])).toMatchObject({
      ok: true,
      found: [],
    })
  })

  it('[forget-1] takes the errors of an embedder along, which may quote what it was given', async () => {
    const embedder = async (texts: readonly string[]): Promise<number[][]> => {
      if (texts.some((text) => text.includes('Zanzibaroo')))
        throw Object.assign(new Error(`cannot embed ${texts.join(' ')}`), { status: 401 })
      return texts.map(() => [1, 0, 0])
    }
    await using memory = await openMemory(':memory:', { learn: false, embedder })
    const ada = memory.scope('acme/ada')
    await ada.session('chat').append([say('Zanzibaroo', 'one'), say('two')])
    await vi.waitFor(
      async () => expect(JSON.stringify(await memory.jobs.list())).toContain('cannot embed Zanzibaroo'),
      { timeout: 60_000 },
    )
    const receipt = await ada.forget({ message: 'one' })
    expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ found: [] })
  })

  it('[arc-2] an archive of what is left is imported, and exported again equal', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const ada = memory.scope('acme/ada')
    const chat = ada.session('chat', { description: 'Zanzibaroo is the topic' })
    await chat.append(say('two'))
    const fork = await chat.fork('second')
    await fork.revise((await chat.history())[1]?.id ?? '', { content: 'Quuxopolis' })
    for (const { id } of await chat.history()) await ada.forget({ message: id })
    const text = await readArchive(memory.export())
    expect(text).not.toMatch(/Zanzibaroo|Quuxopolis/)
    await using other = await openMemory(':memory:', { learn: false })
    await other.import(source(text))
    expect(await readArchive(other.export())).toBe(text)
    expect(await other.verify()).toMatchObject({ ok: true })
  })

  it('[forget-1] lets nothing be learned of a message that is forgotten while somebody learns from it', async () => {
    const lessons: number[] = []
    await using memory = await openMemoryWith(':memory:', {}, (knowledge) => ({
      ...teacherFor(knowledge),
      teach: async (lesson) => {
        // Once: between what the learner read and what is stored of it.
        if (lesson.session === 'chat' && lessons.push(lesson.learned.length) === 1)
          await memory.scope('acme').forget({ message: 'one', session: 'chat' })
        return teach(knowledge, lesson)
      },
    }))
    const acme = memory.scope('acme')
    await acme.session('other').append({ role: 'assistant', content: 'Good morning.', id: 'one' })
    await acme.session('chat').append([say('My name is Ada and I live in Zanzibaroo.', 'one'), say('I like tea.')])
    await memory.settled()
    expect(lessons[0]).toBeGreaterThan(1)
    expect((await acme.facts()).map(({ text }) => text).join()).not.toContain('Zanzibaroo')
    expect(await memory.verifyForgotten({ id: 'x' } as never, ['Zanzibaroo'])).toMatchObject({ found: [] })
    expect((await acme.facts()).map(({ text }) => text).join()).toContain('tea')
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
