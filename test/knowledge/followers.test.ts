import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { uuid7Maker } from '../../src/domain/uuid7.ts'
import { FACTS_FROM_THE_START, type FactCursor, factsChangedSince } from '../../src/knowledge/changes.ts'
import type { Knowledge } from '../../src/knowledge/knowledge.ts'
import { factsNear } from '../../src/knowledge/facts-near.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-followers-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function open(file: string): Promise<{ knowledge: Knowledge; memory: Awaited<ReturnType<typeof openMemory>> }> {
  const store = await openSqliteStore(file, Date.now)
  const clock = { now: Date.now }
  const newId = uuid7Maker(clock.now, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  return { knowledge: { store: store.knowledge, clock, newId }, memory: await openMemoryWith(store) }
}

describe('what follows the facts', () => {
  it('hears of every change once, in pages, and of what was forgotten', async () => {
    const { knowledge, memory } = await open(':memory:')
    const scope = memory.scope('a')
    await scope.remember(Array.from({ length: 10 }, (_, n) => ({ subject: 'Ada', predicate: 'likes', object: n })))
    await memory.scope('a/b').remember('not of this scope')
    let cursor: FactCursor = FACTS_FROM_THE_START
    const seen: unknown[] = []
    for (;;) {
      const page = await factsChangedSince(knowledge, 'a', cursor, 3)
      seen.push(...page.facts.map(({ object }) => object))
      ;({ cursor } = page)
      if (!page.more) break
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await factsChangedSince(knowledge, 'a', cursor, 3)).toMatchObject({ facts: [], forgotten: [], more: false })
    const [first, second] = await scope.facts()
    await scope.retract(first?.id ?? '')
    await scope.forget({ fact: second?.id ?? '' })
    expect(await factsChangedSince(knowledge, 'a', cursor, 3)).toMatchObject({
      facts: [{ id: first?.id, state: 'retracted' }],
      forgotten: [second?.id],
    })
    await memory.close()
  })

  it('finds the entities that phrases name, and what is next to them', async () => {
    const { knowledge, memory } = await open(':memory:')
    const scope = memory.scope('a/b')
    await memory.scope('a').remember({
      subject: { name: 'Ada Lovelace', aliases: ['Ada'] },
      predicate: 'knows',
      object: { entity: 'Babbage' },
    })
    await scope.remember({ subject: 'Babbage', predicate: 'built', object: { entity: 'Engine' } })
    await scope.remember({ subject: 'Babbage', predicate: 'is', object: 'a spy' }, { channel: 'tool' })
    const found = await factsNear(knowledge, 'a/b', ['what', 'did', 'ADA', 'babbage'], { limit: 10 })
    expect(found.map(({ text }) => text).toSorted()).toEqual(['Ada Lovelace knows Babbage', 'Babbage built Engine'])
    await memory.close()
  })

  it('[fact-1] nothing of a forgotten fact is left in the file', async () => {
    const file = join(directory, 'forget.db')
    const secret = 'xylophone-4711'
    const memory = await openMemory(file)
    const scope = memory.scope('a')
    await scope.remember({
      subject: `Ada ${secret}`,
      predicate: 'hides',
      object: { entity: `box ${secret}` },
      tags: [secret],
    })
    await scope.remember({ subject: `Ada ${secret}`, predicate: 'favourite_city', object: `street ${secret}` })
    await scope.remember({ subject: `Ada ${secret}`, predicate: 'favourite_city', object: 'elsewhere' })
    await scope.remember({ subject: 'Bob', predicate: 'likes', object: 'tea' })
    await scope.propose({ merge: ['Bob', `Ada ${secret}`] })
    // Now the words are in the index as well.
    expect((await scope.recall(`hides street ${secret}`)).items.length).toBeGreaterThan(0)
    expect(await scope.forget({ subject: `Ada ${secret}` })).toMatchObject({ facts: 3, proposals: 1 })
    await scope.forget({ subject: `box ${secret}` })
    await memory.close()
    expect(readFileSync(file).toString('latin1').toLowerCase()).not.toContain(secret)
  })
})
