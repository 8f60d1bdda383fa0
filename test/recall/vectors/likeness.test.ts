import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../../src/ports/embedder.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'

const DIMENSIONS = 24
/** As models have: among so many, noise is far from noise. */
const MANY_DIMENSIONS = 384
const said = [
  'My bike was stolen from the station',
  'The tax office wants another form',
  'Grandma bakes bread with caraway',
  'The printer in the hall is out of ink',
  'We saw a seal at the beach',
  'My cousin repairs old radios',
  'The lift was stuck for an hour',
  'Rain came through the kitchen window',
]
const questions = [
  'Did I lose my bicycle?',
  'radios of my cousin',
  'what about the weather at home?',
  'stolen bike station',
]

/** A vector for each text that depends on its letters: as good as noise, and always the same. */
function noise(text: string, dimensions = DIMENSIONS): readonly number[] {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  const values = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 31 - 1
  })
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

/** The same vectors with something that all texts share: every cosine is at least `floor`. */
function embedderWith(floor: number): Embedder {
  return {
    name: `floor ${floor}`,
    dimensions: DIMENSIONS + 1,
    embed: async ({ texts }) => ({
      vectors: texts.map((text) => [...noise(text).map((value) => value * Math.sqrt(1 - floor)), Math.sqrt(floor)]),
    }),
  }
}

async function found(
  embedder: Embedder | undefined,
  texts: readonly string[],
): Promise<readonly (readonly string[])[]> {
  await using memory = await openMemory(':memory:', { learn: false, ...(embedder && { embedder }) })
  const scope = memory.scope('a')
  for (const [index, content] of texts.entries()) await scope.session(`s${index}`).append({ role: 'user', content })
  await memory.settled()
  const all = []
  for (const question of questions) all.push((await scope.recall(question)).items.map(({ text }) => text))
  return all
}

describe('[found-16] an embedder whose vectors all point one way', () => {
  it.each([8, 3, 300])('finds the same in the same order as one without that: among %i', async (count) => {
    const texts = Array.from({ length: count }, (_, index) => `${said[index % said.length]}, ${Math.floor(index / 8)}`)
    const [plain, high] = [await found(embedderWith(0), texts), await found(embedderWith(0.8), texts)]
    expect(high).toEqual(plain)
  })

  it('does not make everything alike', async () => {
    await using memory = await openMemory(':memory:', { learn: false, embedder: embedderWith(0.9) })
    const scope = memory.scope('a')
    await scope.session('s').append(said.map((content) => ({ role: 'user' as const, content })))
    await memory.settled()
    const { items } = await scope.recall('xyzzy')
    expect(items.some(({ why }) => (why.vector ?? 0) > 0)).toBe(true)
    for (const { why } of items) expect(why.vector ?? 0).toBeLessThan(0.6)
  })
})

/** Texts about the same lie half way between their subject and noise; all others are noise. With a floor, as several models have. */
function embedderOf(subjects: readonly RegExp[], floor: number): Embedder {
  const vectorOf = (text: string): readonly number[] => {
    const about = subjects.map((subject) => (subject.test(text) ? Math.SQRT1_2 : 0))
    const share = about.some((value) => value > 0) ? Math.SQRT1_2 : 1
    return [...about, ...noise(text, MANY_DIMENSIONS).map((value) => value * share)]
  }
  return {
    name: `subjects ${floor}`,
    dimensions: MANY_DIMENSIONS + subjects.length + 1,
    embed: async ({ texts }) => ({
      vectors: texts.map((text) => [...vectorOf(text).map((value) => value * Math.sqrt(1 - floor)), Math.sqrt(floor)]),
    }),
  }
}

describe('[found-42] a context with an embedder', () => {
  it.each([0, 0.8])('shows what was said in other words, and nothing for other questions: floor %f', async (floor) => {
    const embedder = embedderOf([/bike|cycling theft/, /bread|pastry/], floor)
    await using memory = await openMemory(':memory:', { learn: false, embedder })
    const scope = memory.scope('a')
    for (const [index, content] of said.entries()) await scope.session(`s${index}`).append({ role: 'user', content })
    await memory.settled()
    const shown = async (content: string): Promise<string> => {
      const chat = scope.session(`asked: ${content}`)
      await chat.append({ role: 'user', content })
      return JSON.stringify((await chat.context({ budget: 4_000, recall: true })).messages)
    }
    expect(await shown('Any cycling theft lately?')).toContain('stolen from the station')
    expect(await shown('Who makes good pastry?')).toContain('caraway')
    for (const other of ['Write a haiku about glaciers', 'What is 17 * 23?', 'Explain quantum tunnelling']) {
      const context = await shown(other)
      expect(said.filter((text) => context.includes(text))).toEqual([])
    }
  })
})

describe('[found-17] a question that finds little without an embedder', () => {
  it('says once how to add one', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    await scope
      .session('s')
      .append(Array.from({ length: 60 }, (_, n) => ({ role: 'user' as const, content: `Letter ${n}` })))
    await memory.settled()
    expect((await scope.recall('letter')).hint).toBeUndefined()
    expect((await scope.recall('bicycle')).hint).toContain('{ embedder: ')
    expect((await scope.recall('bicycle')).hint).toBeUndefined()
    await using small = await openMemory(':memory:', { learn: false })
    expect((await small.scope('a').recall('bicycle')).hint).toBeUndefined()
    await small.scope('a').session('s').append({ role: 'user', content: 'A letter' })
    await small.settled()
    expect((await small.scope('a').recall('bicycle')).hint).toContain('{ embedder: ')
  })

  it('says how many messages are not embedded yet where there is one', async () => {
    const open = Promise.withResolvers<undefined>()
    const { embed, ...rest } = embedderOf([/bike|cycling theft/], 0)
    let fails = false
    const embedder: Embedder = {
      ...rest,
      embed: async (...given) => {
        await open.promise
        if (fails) throw new Error('gone')
        return embed(...given)
      },
    }
    await using memory = await openMemory(':memory:', { learn: false, embedder })
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'My bike is gone.' })
    const asked = { fresh: true, expected: 's#1' }
    expect(await scope.recall('cycling theft', asked)).toMatchObject({
      items: [],
      unembedded: 1,
      expected: { reason: 'not-embedded' },
    })
    expect(await scope.recall('bike', asked)).not.toHaveProperty('unembedded')
    open.resolve(undefined)
    await memory.settled()
    const after = await scope.recall('cycling theft', asked)
    expect(after).toMatchObject({ items: [{ text: 'My bike is gone.' }], expected: { found: true } })
    expect(after).not.toHaveProperty('unembedded')
    fails = true
    const { expected } = await scope.recall('cycling theft', asked)
    expect(expected).toMatchObject({ reason: 'no-shared-word', summary: expect.stringContaining('its meaning either') })
  })

  it('says nothing where there is an embedder', async () => {
    await using memory = await openMemory(':memory:', { learn: false, embedder: embedderWith(0) })
    const scope = memory.scope('a')
    await scope
      .session('s')
      .append(Array.from({ length: 60 }, (_, n) => ({ role: 'user' as const, content: `Letter ${n}` })))
    await memory.settled()
    expect((await scope.recall('bicycle')).hint).toBeUndefined()
  })
})
