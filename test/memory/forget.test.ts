import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'

const say = (text: string, id?: string) => ({ role: 'user' as const, content: text, ...(id === undefined ? {} : { id }) })

it('[forget-1] a message is gone from history, count, recall and what was learned, and order and chain verify [forget-2]', async () => {
  await using memory = await openMemory(':memory:')
  const ada = memory.scope('acme/ada')
  const chat = ada.session('chat')
  await chat.append([say('My name is Ada and I live in Zanzibaroo.', 'one'), say('The weather is fine today.', 'two')])
  await chat.append(say('I drink tea.', 'three'))
  await chat.revise('one', { content: 'My name is Ada and I live in Quuxopolis.' })
  await memory.settled()
  expect((await ada.recall('Quuxopolis')).items.length).toBeGreaterThan(0)
  const receipt = await ada.forget({ message: 'one' })
  expect(receipt).toMatchObject({ messages: 1, revisions: 1, sessions: ['chat'], pending: [] })
  expect((await chat.history()).map(({ id, seq }) => [id, seq])).toEqual([['two', 2], ['three', 3]])
  expect(await chat.get('one')).toBeUndefined()
  expect(await chat.count()).toBe(2)
  expect((await chat.stats()).messages).toBe(2)
  expect((await ada.recall('Quuxopolis')).items).toEqual([])
  expect((await ada.facts()).filter(({ object }) => JSON.stringify(object).includes('Quux'))).toEqual([])
  expect(await memory.verify()).toMatchObject({ ok: true, messages: 2, forgotten: 1 })
  expect(await memory.verifyForgotten(receipt, ['Zanzibaroo', 'Quuxopolis'])).toMatchObject({ ok: true, found: [] })
  expect(await memory.verifyForgotten(receipt, ['weather'])).toMatchObject({ ok: false })
  await expect(chat.append(say('My name is Ada and I live in Zanzibaroo.', 'one'))).rejects.toMatchObject({ code: 'log/forgotten' })
})
