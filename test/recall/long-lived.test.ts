import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-long-lived-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const WORDS = 'harbour lantern maple copper violin glacier pepper saddle window orchard'.split(' ')
const QUESTION = 'which harbour has a copper lantern by the window?'

function text(seed: number): string {
  const words = [3, 5, 7].map((step) => WORDS[(seed * step + step) % WORDS.length])
  const long = seed % 9 === 0 ? ` ${'Then we walked on along the shore and said little. '.repeat(12)}` : ''
  return `Note ${seed}: the ${words.join(' and the ')}.${long}`
}

it('[found-48] a memory that has read passages before finds the same as one that was just opened', async () => {
  const file = join(directory, 'memory.db')
  const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') }
  const open = (): Promise<Memory> => openMemory(file, { clock, learn: false })
  const [warm, other] = [await open(), await open()]
  const session = (memory: Memory) => memory.scope('a').session('s')
  const idOf = async (seq: number): Promise<string> => {
    const [message] = await session(warm).history({ after: seq - 1, limit: 1 })
    return message?.id ?? ''
  }
  let seed = 0
  const append = (memory: Memory, count: number): Promise<unknown> =>
    session(memory).append(Array.from({ length: count }, () => ({ role: 'user' as const, content: text(++seed) })))
  const steps: readonly (() => Promise<unknown>)[] = [
    () => append(warm, 40),
    async () => session(other).revise(await idOf(5), { content: 'The harbour lantern is a violin.' }),
    async () => session(warm).remove(await idOf(12)),
    async () => other.scope('a').forget({ message: await idOf(20) }),
    () => Promise.all([append(warm, 20), session(warm).fork('t', { at: 25 })]),
    () => other.rebuild(),
    () => session(other).clear(),
    () => append(other, 20),
  ]
  for (const step of steps) {
    await step()
    const fresh = await open()
    const [found, wanted] = [warm, fresh].map((memory) =>
      memory.scope('a').recall(QUESTION, { fresh: true, limit: 40 }),
    )
    expect((await found)?.items).toEqual((await wanted)?.items)
    expect((await found)?.items.length).toBeGreaterThan(0)
    await fresh.close()
  }
  await Promise.all([warm.close(), other.close()])
})
