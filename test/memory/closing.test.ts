import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

it('[log-1] closing waits for reads that were begun', async () => {
  const memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  const chat = scope.session('s')
  await chat.append(Array.from({ length: 900 }, (_, n) => ({ role: 'user' as const, content: `message ${n}` })))
  const reads = [chat.history(), chat.window(), scope.facts(), scope.sessions()]
  await memory.close()
  const [history] = await Promise.all(reads)
  expect(history).toHaveLength(900)
  await expect(chat.history()).rejects.toMatchObject({ code: 'store/closed' })
})
