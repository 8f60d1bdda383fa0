import { describe, expect, it } from 'vitest'
import { looseForm, normalForm, normalPredicate } from '../../src/domain/normal-form.ts'
import { scopeChain } from '../../src/domain/scope-path.ts'
import { nameKey, objectKey } from '../../src/knowledge/keys.ts'

describe('[fact-4] normal form', () => {
  it.each([
    ['works at', 'works_at'],
    ['worksAt', 'works_at'],
    ['Works-At', 'works_at'],
    ['WORKS_AT', 'works_at'],
    ['  works   at? ', 'works_at'],
    ['parseHTTPRequest2Go', 'parse_http_request2_go'],
    ['喜欢', '喜欢'],
  ])('predicate %s is %s', (given, wanted) => expect(normalPredicate(given)).toBe(wanted))

  it('text is compared without case, width and spaces', () => {
    expect(new Set(['Straße', 'STRASSE', ' strasse '].map(normalForm)).size).toBe(1)
    expect(normalForm('Ｆｕｌｌ\u00a0 width')).toBe(normalForm('full width'))
    expect(looseForm('The  Café, "Olé"!')).toBe(looseForm('cafe ole'))
  })

  it('keys fit an index, whatever the text', () => {
    for (const text of ['x'.repeat(100_000), 'a\u0000b', '\ud800', '😀'.repeat(200)]) {
      expect(nameKey(text).length).toBeLessThan(250)
      expect(nameKey(text)).toMatch(/^[=#]/)
      expect(nameKey(text).isWellFormed() && !nameKey(text).includes('\0')).toBe(true)
    }
    expect(nameKey('a\u0000b')).not.toBe(nameKey('a\u0000c'))
  })

  it('objects that say the same have one key, others not', () => {
    expect(objectKey({ json: { a: 1, b: [2] } })).toBe(objectKey({ json: { b: [2], a: 1 } }))
    expect(objectKey({ date: '2020-01-01' })).toBe(objectKey({ date: '2020-01-01T00:00:00.000Z' }))
    expect(objectKey(-0)).toBe(objectKey(0))
    expect(objectKey('Paris')).toBe(objectKey({ entity: 'paris' }))
    const keys = ['1', 1, true, 'true', { json: 1 }, { json: '1' }, { date: '2020-01-01' }].map((object) =>
      objectKey(object),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('[fact-13] a scope and its ancestors, nearest first', () => {
    expect(scopeChain('a/b/c')).toEqual(['a/b/c', 'a/b', 'a'])
  })
})
