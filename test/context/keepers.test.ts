import { describe, expect, it } from 'vitest'
import { readHandWritten } from '../../bench/hand-written/read-sessions.ts'
import { type FoldedSession, foldToTenth } from '../../bench/keepers.ts'

/** One of each kind, in four languages; `npm run bench -- keepers` measures all of them. */
const TITLES = [
  'The CSV export takes too long',
  'Une réservation à modifier',
  'Förderung für Solaranlagen',
  'Una maleta perdida',
]

describe('hand-written sessions', () => {
  const sessions = readHandWritten()

  it('are thirty, and each has about ten sentences that a reader would keep', () => {
    expect(sessions).toHaveLength(30)
    for (const { title, keepers } of sessions) {
      expect(keepers.length, title).toBeGreaterThanOrEqual(9)
      expect(keepers.length, title).toBeLessThanOrEqual(12)
    }
  })

  it('[contexts-13] show most of those sentences when they are folded to a tenth, and more than a cut would', async () => {
    const outcomes: FoldedSession[] = []
    for (const session of sessions.filter(({ title }) => TITLES.includes(title)))
      outcomes.push(await foldToTenth(session))
    expect(outcomes).toHaveLength(TITLES.length)
    for (const { session, tokens, foldTokens, folded, truncated, recent } of outcomes) {
      expect(foldTokens, session.title).toBeLessThanOrEqual(tokens / 10)
      expect(folded.length, session.title).toBeGreaterThan(Math.max(truncated.length, recent.length))
    }
    const share = (pick: (outcome: FoldedSession) => number): number =>
      outcomes.reduce((sum, one) => sum + pick(one), 0)
    expect(share(({ folded }) => folded.length) / share(({ session }) => session.keepers.length)).toBeGreaterThan(0.8)
  })
})
