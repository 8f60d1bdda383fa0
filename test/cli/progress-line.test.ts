import { expect, it } from 'vitest'

import { progressLine } from '../../src/cli/render/progress-line.ts'

it('[words-16] long work shows a bar with its share and the time left', () => {
  const line = progressLine({ message: 'Importing', share: { done: 25, total: 100 }, seconds: 10, frame: 1 }, 80)
  expect(line).toBe('█████░░░░░░░░░░░░░░░ 25 % · 30 s left · Importing')
})

it('[words-16] where the amount is not known, it shows what is done and for how long', () => {
  expect(progressLine({ message: 'Reading', seconds: 130, frame: 0 }, 80)).toBe('⠋ Reading · 2 min')
})

it('[words-16] is never wider than the terminal', () => {
  const message = 'x'.repeat(200)
  expect(progressLine({ message, share: { done: 1, total: 2 }, seconds: 5, frame: 1 }, 60).length).toBeLessThan(60)
})
