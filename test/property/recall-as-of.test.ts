import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { times } from '../tier.ts'

const words = ['apple', 'river', 'walrus', 'mill', 'Ada', 'pond', 'heron', 'the', 'ERR-7731', '咖啡馆']
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))
const step = fc.record({
  do: fc.constantFrom('append', 'append', 'append', 'append', 'revise', 'remove', 'clear', 'recall'),
  session: fc.constantFrom('s', 't'),
  which: fc.nat(20),
  text,
})

async function found(scope: Scope, query: string, asOf?: Date): Promise<readonly string[]> {
  const options = { limit: 200, kinds: ['message' as const], ...(asOf === undefined ? {} : { asOf }) }
  const { items } = await scope.recall(query, options)
  return items
    .flatMap(({ source, copies = [] }) => [source, ...copies])
    .map(({ session, seq }) => `${session} ${seq}`)
    .toSorted()
}

describe('[recall-7] recall as of a moment', () => {
  it('finds what was found at that moment, whatever came since', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.array(step, { maxLength: 20 }),
        text,
        async (before, after, query) => {
          let now = Date.parse('2026-01-01T00:00:00Z')
          await using memory = await openMemory(':memory:', { clock: { now: () => now }, learn: false })
          const scope = memory.scope('a')
          const take = async (one: (typeof before)[number]): Promise<void> => {
            now += 60_000
            const chat = scope.session(one.session)
            const messages = one.do === 'append' ? [] : await chat.history()
            const message = messages[one.which % Math.max(1, messages.length)]
            if (one.do === 'append') await chat.append({ role: 'user', content: one.text })
            else if (one.do === 'clear' && messages.length > 0) await chat.clear()
            else if (one.do === 'revise' && message !== undefined) await chat.revise(message.id, { content: one.text })
            else if (one.do === 'remove' && message !== undefined) await chat.remove(message.id)
            else await scope.recall('apple')
          }
          for (const one of before) await take(one)
          const moment = new Date(now)
          const then = await found(scope, query)
          for (const one of after) await take(one)
          expect(await found(scope, query, moment)).toEqual(then)
        },
      ),
      { numRuns: times({ daily: 60, nightly: 2_000 }) },
    )
  })

  it('is not crowded out by what came later, nor told of it', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    await using memory = await openMemory(':memory:', { clock: { now: () => now }, learn: false })
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'walrus seen' })
    const moment = new Date(now)
    now += 60_000
    await scope.session('s').append({ role: 'user', content: 'a heron too' })
    for (let index = 0; index < 4; index++)
      await scope
        .session('t')
        .append(Array.from({ length: 300 }, () => ({ role: 'user' as const, content: 'walrus seen' })))
    const { items } = await scope.recall('walrus heron', { asOf: moment })
    expect(items.map(({ text: said, source }) => [said, source.session, source.seq])).toEqual([['walrus seen', 's', 1]])
    expect(items[0]?.why.nearby).toEqual([])
  })
})
