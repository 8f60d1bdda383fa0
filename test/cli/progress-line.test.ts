import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { openMemory } from '../../src/index.ts'
import { folder } from './harness.ts'
import { moveProgress } from '../../src/cli/move-progress.ts'
import { progressLine } from '../../src/cli/render/progress-line.ts'

it('[words-16] long work shows a bar with its share, the time left and the rate', () => {
  const share = { done: 25e6, total: 100e6, unit: 'bytes' } as const
  const line = progressLine({ message: 'Importing', share, seconds: 10, frame: 1 }, 80)
  expect(line).toBe('█████░░░░░░░░░░░░░░░ 25 % · 30 s left · 2.5 MB/s · Importing')
  const messages = progressLine({ message: 'x', share: { ...share, unit: 'messages' }, seconds: 10, frame: 1 }, 80)
  expect(messages).toContain('2,500,000 messages/s')
})

it('[words-16] verify and imports report how far they are', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('acme/ada')
  const file = join(folder(), 'chat.json')
  writeFileSync(file, JSON.stringify([{ role: 'user', content: 'Hello' }]))
  const read: number[] = []
  await scope.import(file, { format: 'openai-chat', onProgress: ({ bytes }) => read.push(bytes) })
  expect(read).toEqual([statSync(file).size])
  await scope.session('second').append({ role: 'user', content: 'Hello again' })
  const verified: unknown[] = []
  await memory.verify({ onProgress: (progress) => verified.push(progress) })
  expect(verified).toEqual([
    { sessions: 1, messages: 1 },
    { sessions: 2, messages: 2 },
  ])
})

it('[words-16] migrate shows the share of both of its stages', () => {
  const said: unknown[] = []
  const report = moveProgress((...words) => said.push(words), 4_000)
  report({ stage: 'copy', records: 1_000, bytes: 1 })
  report({ stage: 'copy', records: 5_000, bytes: 5 })
  report({ stage: 'check', records: 2_000, bytes: 2 })
  expect(said).toEqual([
    ['Moving: 1,000 records', { done: 1_000, total: 4_000, unit: 'records' }],
    ['Moving: 5,000 records', undefined],
    ['Comparing: 2,000 records', { done: 2_000, total: 5_000, unit: 'records' }],
  ])
})

it('[words-16] where the amount is not known, it shows what is done and for how long', () => {
  expect(progressLine({ message: 'Reading', seconds: 130, frame: 0 }, 80)).toBe('⠋ Reading · 2 min')
})

it('[words-16] is never wider than the terminal', () => {
  const message = 'x'.repeat(200)
  expect(
    progressLine({ message, share: { done: 1, total: 2, unit: 'records' }, seconds: 5, frame: 1 }, 60).length,
  ).toBeLessThan(60)
})
