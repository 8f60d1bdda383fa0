import { expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { HOST, openScene } from '../server/scene.ts'

it('[forget-3] [keep-1] forgets, verifies and keeps retentions through a server as it does here', async () => {
  await using scene = await openScene()
  const memory = connectMemory(`http://${HOST}`, {
    key: scene.root.token,
    fetch: (request: Request) => {
      request.headers.set('host', HOST)
      return scene.app.fetch(request)
    },
  })
  const ada = memory.scope('acme/ada')
  await ada.session('chat').append([
    { role: 'user', content: 'Eurydice is here', id: 'one' },
    { role: 'user', content: 'nobody is here' },
  ])
  expect(await ada.forget({ message: 'one' }, { dryRun: true })).toMatchObject({ dryRun: true, messages: 1 })
  const receipt = await ada.forget({ message: 'one', session: 'chat' }, { reason: 'a request' })
  expect(receipt).toMatchObject({ messages: 1, sessions: ['chat'], reason: 'a request' })
  expect(await memory.verifyForgotten(receipt, ['Eurydice', [0.5, 0.25, 0.125, 1]])).toMatchObject({ ok: true })
  expect(await memory.verifyForgotten(receipt, ['nobody'])).toMatchObject({ ok: false })
  expect(await ada.retention.get()).toBeUndefined()
  expect(await ada.retention.set({ messages: 0 }, { dryRun: true })).toMatchObject({ overdue: { messages: 1 } })
  await ada.retention.set({ days: 30 })
  expect(await ada.retention.get()).toEqual({ policy: { days: 30 }, from: 'acme/ada' })
  await expect(ada.forget({ session: 'none' })).rejects.toMatchObject({ code: 'log/not-found' })
  await expect(ada.session('chat').append({ role: 'user', content: 'x', id: 'one' })).rejects.toMatchObject({
    code: 'log/forgotten',
  })
})
