import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readProgress, writeProgress } from '../../src/watching/progress.ts'

const progress = {
  floor: 1_700_000_000_000,
  factsVersion: 3,
  jobsAt: 0,
  facts: undefined,
  jobs: new Map(),
  newest: ['mark'],
  newestKey: undefined,
  importing: undefined,
  forgotten: 2,
  sessions: new Map([['mark', { seq: 1, version: 2, at: 1_700_000_000_001 }]]),
}

it('[inspector-19] a cursor is read as it was written, in its own scope', () => {
  const cursor = writeProgress('acme/ada', progress)
  expect(readProgress('acme/ada', cursor)).toEqual(progress)
  expect(() => readProgress('acme/bob', cursor)).toThrow(expect.objectContaining({ code: 'input/invalid' }) as Error)
})

it.each([
  'null',
  '{',
  '{}',
  '[1,2,3,null,[],0]',
  '[1,2,3,[["m",1,2]],[],0]',
  '[1,"2",3,[],[],0]',
  '[-1,2,3,[],[],0]',
  '[1,2,3,[],[4],0]',
  '[1,2,3,[],[]]',
])('[inspector-19] a cursor with the checksum of %s is refused as input', (text) => {
  const checksum = hash('sha256', JSON.stringify(['watch', 'acme/ada', text]), 'base64url').slice(0, 12)
  const cursor = Buffer.from(`${checksum}${text}`).toString('base64url')
  expect(() => readProgress('acme/ada', cursor)).toThrow(expect.objectContaining({ code: 'input/invalid' }) as Error)
})
