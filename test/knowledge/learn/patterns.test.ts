import { describe, expect, it } from 'vitest'
import { patternLearner } from '../../../src/knowledge/learn/patterns/pattern-learner.ts'
import type { Learned, Material } from '../../../src/knowledge/learn/lesson.ts'
import { SAID_AT, type Sample, taught, traps } from './sentences.ts'

const learner = patternLearner()

async function learn(text: string, more: Partial<Material> = {}): Promise<readonly Learned[]> {
  const material: Material = { id: 'm1', seq: 1, role: 'user', at: SAID_AT, texts: [text], ...more }
  const { signal } = new AbortController()
  return (await learner([material], { scope: 'acme/ada', signal })).learned
}

function short({ subject, predicate, object, closes }: Learned): string {
  return `${closes === true ? '!' : ''}${subject === 'user' ? '' : `${subject}: `}${predicate}|${object}`
}

describe('[learn-2] the pattern learner', () => {
  it('is precise: of what it says, at least 95 of 100 are so', async () => {
    let right = 0
    let said = 0
    let wanted = 0
    const wrong: string[] = []
    const missed: string[] = []
    for (const [message, ...claims] of [...taught, ...traps] satisfies readonly Sample[]) {
      const found = (await learn(message)).map(short)
      said += found.length
      wanted += claims.length
      right += found.filter((claim) => claims.includes(claim)).length
      wrong.push(...found.filter((claim) => !claims.includes(claim)).map((claim) => `${message} → ${claim}`))
      missed.push(...claims.filter((claim) => !found.includes(claim)).map((claim) => `${message} → ${claim}`))
    }
    const figures = `precision ${(right / said).toFixed(3)} (${right} of ${said}), recall ${(right / wanted).toFixed(3)} of ${wanted}`
    console.info(
      [figures, ...wrong.map((line) => `wrong: ${line}`), ...missed.map((line) => `missed: ${line}`)].join('\n'),
    )
    expect(right / said).toBeGreaterThanOrEqual(0.95)
    expect(right / wanted).toBeGreaterThanOrEqual(0.9)
  })
})
