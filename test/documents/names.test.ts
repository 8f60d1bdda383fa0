import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeName, encodeName } from '../../src/documents/names.ts'
import { hostileIds } from './hostile-ids.ts'

describe('[docs-2] [docs-7] names of files', () => {
  it('differ for 200 hostile ids, whatever the file system thinks of case and Unicode', () => {
    const names = hostileIds.map(encodeName)
    expect(hostileIds.length).toBeGreaterThanOrEqual(200)
    expect(new Set(hostileIds).size).toBe(hostileIds.length)
    expect(new Set(names.map((name) => name.toLowerCase().normalize('NFC'))).size).toBe(hostileIds.length)
    for (const name of names) {
      expect(name).toMatch(/^[a-z0-9%+_-][a-z0-9%+_.~-]*$/)
      expect(name.length).toBeLessThanOrEqual(180)
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
    }
  })

  it('lead back to the id, or say that they were cut', () => {
    for (const id of hostileIds) {
      const decoded = decodeName(encodeName(id))
      if (decoded === 'cut') expect(encodeName(id)).toContain('~')
      else expect(decoded).toEqual({ id })
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 512 }), (id) => {
        const decoded = decodeName(encodeName(id))
        expect(decoded === 'cut' || decoded?.id === id).toBe(true)
      }),
    )
  })

  it('are readable where that is possible', () => {
    expect(encodeName('support-42')).toBe('support-42')
    expect(encodeName('user:agent:1708654321')).toBe('user%3aagent%3a1708654321')
    expect(encodeName('Ada')).toBe('+ada')
    expect(encodeName('con')).toBe('%63on')
    expect(encodeName('..')).toBe('%2e.')
  })

  it('that are not ours are not taken for ours', () => {
    for (const name of ['', 'README', 'a b', '%41', '%zz', '+', 'con', '.hidden', '%ff', 'é', 'a~b'])
      expect(decodeName(name), name).toBeUndefined()
  })
})
