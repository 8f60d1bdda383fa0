import { describe, expect, it } from 'vitest'
import { learnedBenchmark } from '../../../bench/learned.ts'
import { line, met } from '../../../bench/measure.ts'
import { holdsSecret } from '../../../src/knowledge/learn/holds-secret.ts'
import { chats, chatsHeldOut } from '../../fixtures/learned/chats.ts'
import { tricky, trickyHeldOut } from '../../fixtures/learned/tricky.ts'

describe('what the patterns learn', () => {
  it('[signed-1] [signed-2] meets the goals on our own chats, those held out included', async () => {
    const figures = await learnedBenchmark()
    expect(figures.filter((figure) => !met(figure)).map(line)).toEqual([])
  })

  it('is judged by at least 200 sentences of chats and 90 tricky ones', () => {
    expect(chats.length + chatsHeldOut.length).toBeGreaterThanOrEqual(200)
    expect(tricky.length).toBeGreaterThanOrEqual(90)
    expect(trickyHeldOut.length).toBeGreaterThanOrEqual(50)
    const all = [...chats, ...chatsHeldOut, ...tricky, ...trickyHeldOut].map(([said]) => said)
    expect(new Set(all).size).toBe(all.length)
  })

  it.each([
    ['my card number is 4111 1111 1111 1111', true],
    ['the number is 4111111111111111', true],
    ['the tracking number is 4111111111111112', false],
    ['my PIN is 4711', true],
    ['the recovery phrase is witch collapse practice', true],
    ['my passport number is C01X00T47', true],
    ['my order number is 88213', false],
    ['I pin my dependencies', false],
  ])('[signed-3] tells a secret from what is none: %s', (text, secret) => {
    expect(holdsSecret(text)).toBe(secret)
  })
})
