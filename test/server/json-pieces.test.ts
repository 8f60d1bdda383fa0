import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonPieces } from '../../src/server/json-pieces.ts'

async function joined(value: unknown): Promise<readonly string[]> {
  const pieces: string[] = []
  for await (const piece of jsonPieces(value)) pieces.push(piece)
  return pieces
}

const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, new Date(0), '\ud800', { __proto__: null, a: 1 }))
const answer = fc.oneof(
  fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf), fc.array(fc.dictionary(fc.string(), leaf)))),
  fc.array(leaf),
)

describe('[walls-243] a long answer', () => {
  it('is the text that JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (value) => {
        expect((await joined(value)).join('')).toBe(JSON.stringify(value))
      }),
      { numRuns: 200 },
    )
  })

  it('is written in pieces, none much longer than a message', async () => {
    const messages = Array.from({ length: 40 }, (_, seq) => ({ seq, content: 'x'.repeat(100_000) }))
    const pieces = await joined({ messages })
    expect(pieces.join('')).toBe(JSON.stringify({ messages }))
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000)
  })
})
