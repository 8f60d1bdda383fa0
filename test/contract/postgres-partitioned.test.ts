import { afterAll, describe } from 'vitest'
import { testMemory } from './test-memory.ts'
import { testAppend } from './append-contract.ts'
import { testArchives } from './archive-contract.ts'
import { testReads } from './read-contract.ts'
import { testRecall } from './recall-contract.ts'
import { testState } from './state-contract.ts'
import type { OpenSubject } from './subject.ts'
import { Subjects } from '../postgres/database.ts'
import { tier } from '../tier.ts'

const subjects = new Subjects({ partitions: 4 })
afterAll(() => subjects[Symbol.asyncDispose]())

const whole = (open: OpenSubject): void => testMemory('PostgreSQL in parts', open)
/** By day what reads and writes the parts most. */
const contracts = tier === 'daily' ? [testAppend, testReads, testRecall, testState, testArchives] : [whole]

describe('[pg-13] PostgreSQL in parts keeps the contract of a memory', () => {
  for (const contract of contracts) contract((options) => subjects.open(options))
})
