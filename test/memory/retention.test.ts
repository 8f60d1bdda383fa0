import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { NewMessage } from '../../src/index.ts'

const DAY = 86_400_000
const say = (text: string): NewMessage => ({ role: 'user', content: text })

it('[keep-1] retention is by age or count, inherited, dry first, and a job', async () => {
  let now = Date.UTC(2026, 0, 1)
  await using memory = await openMemory(':memory:', { learn: false, clock: { now: () => now } })
  const acme = memory.scope('acme')
  const ada = memory.scope('acme/ada')
  const bob = memory.scope('acme/bob')
  for (const scope of [ada, bob]) {
    await scope.session('chat').append([say('old one'), say('old two')])
  }
  now += 40 * DAY
  for (const scope of [ada, bob]) await scope.session('chat').append([say('new one'), say('new two'), say('new three')])
  await bob.retention.set({})
  expect(await ada.retention.get()).toBeUndefined()
  const dry = await acme.retention.set({ days: 30 }, { dryRun: true })
  expect(dry.overdue).toMatchObject({ sessions: 1, messages: 2, receipts: [{ dryRun: true, messages: 2 }] })
  expect(await acme.retention.get()).toBeUndefined()
  await acme.retention.set({ days: 30 })
  expect(await ada.retention.get()).toEqual({ policy: { days: 30 }, from: 'acme' })
  await memory.settled()
  expect((await ada.session('chat').history()).map(({ seq }) => seq)).toEqual([3, 4, 5])
  expect(await bob.session('chat').count()).toBe(5)
  expect(await memory.jobs.list({ kind: 'retention' })).toMatchObject([{ state: 'done', result: { messages: 2 } }])
  await ada.retention.set({ messages: 1 })
  await memory.settled()
  expect((await ada.session('chat').history()).map(({ seq }) => seq)).toEqual([5])
  await ada.session('chat').append(say('newer'))
  await memory.settled()
  expect((await ada.session('chat').history()).map(({ seq }) => seq)).toEqual([6])
  await ada.retention.set(null)
  expect(await ada.retention.get()).toEqual({ policy: { days: 30 }, from: 'acme' })
  expect(await memory.verify()).toMatchObject({ ok: true, forgotten: 5 })
  await expect(ada.retention.set({ days: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
  await expect(ada.retention.set({ day: 1 } as never)).rejects.toMatchObject({ code: 'input/invalid' })
})

it('[keep-1] a policy that was removed here is not imported again', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const acme = memory.scope('acme')
  await acme.retention.set({ days: 30 })
  const archive: string[] = []
  for await (const piece of memory.export()) archive.push(piece)
  await acme.retention.set(null)
  await memory.import(archive)
  expect(await acme.retention.get()).toBeUndefined()
})
