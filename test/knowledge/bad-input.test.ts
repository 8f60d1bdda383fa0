import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Scope } from '../../src/api/scope.ts'

let memory: Memory
let scope: Scope
beforeAll(async () => {
  memory = await openMemory(':memory:')
  scope = memory.scope('a')
})
afterAll(() => memory.close())

const fact = (extra: object): object => ({ subject: 'Ada', predicate: 'likes', object: 'tea', ...extra })

const badFacts: readonly (readonly [what: string, given: unknown, mentions: RegExp])[] = [
  ['nothing', undefined, /fact is undefined/],
  ['a number', 7, /a sentence/],
  ['an empty sentence', '  ', /text/],
  ['no predicate', { subject: 'a', object: 'b' }, /predicate/],
  ['a predicate of marks', fact({ predicate: '?!' }), /letter or digit/],
  ['an empty subject', fact({ subject: ' ' }), /name/],
  ['a misspelt field', fact({ validfrom: 'x' }), /did you mean "validFrom"/],
  ['text and predicate', { text: 'a', predicate: 'b' }, /unknown field "predicate"/],
  ['an object of another kind', fact({ object: { place: 'x' } }), /\{ date \}, \{ json \} or \{ entity \}/],
  ['no number', fact({ object: Number.NaN }), /finite/],
  ['a function', fact({ object: () => 1 }), /text, a number/],
  ['JSON that is none', fact({ object: { json: new Map() } }), /JSON/],
  ['a local time', fact({ validFrom: '2020-01-01T10:00' }), /offset/],
  ['an end before the start', fact({ validFrom: '2020-01-01', validTo: '2019-01-01' }), /after validFrom/],
  ['a confidence of 2', fact({ confidence: 2 }), /0 to 1/],
  ['tags that are none', fact({ tags: 'x' }), /tags/],
  ['sources that are none', fact({ sources: [7] }), /message id/],
  ['an unknown source', fact({ sources: ['nobody'] }), /not a message/],
  ['a negative revision', fact({ expect: -1 }), /revision/],
  ['a second fact that is bad', [fact({}), 7], /facts\[1\]/],
  ['too many', Array.from({ length: 1_001 }, () => 'x'), /at most 1000/],
]

describe('facts that are none', () => {
  it.each(badFacts)('%s', async (_, given, mentions) => {
    await expect(scope.remember(given as never)).rejects.toThrow(mentions)
    await expect(scope.remember(given as never)).rejects.toMatchObject({ isMemoryError: true })
  })

  it('leave nothing behind', async () => {
    expect(await scope.facts({ limit: 1 })).toEqual([])
    expect(await scope.entities()).toEqual([])
    expect(await scope.knowledgeVersion()).toBe(0)
  })

  it.each<readonly [string, () => Promise<unknown>]>([
    ['limit 0', () => scope.facts({ limit: 0 })],
    ['an unknown state', () => scope.facts({ state: 'lost' as never })],
    ['an unknown option', () => scope.facts({ quarantine: true } as never)],
    ['a version that is not there', () => scope.facts({ asOf: { version: 9 } })],
    ['an unknown channel', () => scope.remember('x', { channel: 'god' as never })],
    ['around nobody', () => scope.graph({} as never)],
    ['too deep', () => scope.graph({ around: 'x', depth: 99 })],
    ['a path to nowhere', () => scope.path('a', '')],
    ['forget all', () => scope.forget({} as never)],
    ['forget two things', () => scope.forget({ fact: 'a', subject: 'b' } as never)],
    ['merge one', () => scope.propose({ merge: ['a'] } as never)],
    ['propose nothing', () => scope.propose({} as never)],
    ['a predicate that may be', () => scope.predicate('x', { single: 'maybe' as never })],
  ])('%s is refused', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('a closed memory is refused', async () => {
    const closed = await openMemory(':memory:')
    await closed.close()
    await expect(closed.scope('a').remember('x')).rejects.toMatchObject({ code: 'store/closed' })
    await expect(closed.scope('a').facts()).rejects.toMatchObject({ code: 'store/closed' })
  })
})
