import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const YEARS = 10 * 365 * 24 * 3_600_000

it('[walls-201] a clock that was ten years ahead stamps no later message, and the first of them has a warning', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  await using memory = await openMemory(':memory:', { learn: false, clock: { now: () => (now += 1_000) } })
  const chat = memory.scope('acme').session('s')
  await chat.append({ role: 'user', content: 'one' })
  now += YEARS
  await chat.append({ role: 'user', content: 'two' })
  now -= YEARS
  const third = await chat.append({ role: 'user', content: 'three' })
  expect(third.warnings).toMatchObject([{ type: 'clock-ahead', seq: 3 }])
  const fourth = await chat.append({ role: 'user', content: 'four' })
  expect(fourth.warnings).toEqual([])
  await chat.remove(fourth[0].id)
  const history = await chat.history()
  expect(history.map(({ seq, at }) => [seq, new Date(at).getUTCFullYear()])).toEqual([
    [1, 2026],
    [2, 2036],
    [3, 2026],
    [4, 2026],
  ])
  expect(await memory.verify()).toMatchObject({ ok: true })
})

it('[walls-201] a clock that was set back by seconds does not make time run backwards in a session', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z')
  await using memory = await openMemory(':memory:', { learn: false, clock: { now: () => now } })
  const chat = memory.scope('acme').session('s')
  const [first] = await chat.append({ role: 'user', content: 'one' })
  now -= 30_000
  const [second] = await chat.append({ role: 'user', content: 'two' })
  expect(second.at).toBe(first.at)
})
