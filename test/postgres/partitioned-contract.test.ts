import { afterAll, describe } from 'vitest'
import { testMemory } from '../contract/test-memory.ts'
import { testAppend } from '../contract/append-contract.ts'
import { testArchives } from '../contract/archive-contract.ts'
import { testReads } from '../contract/read-contract.ts'
import { testRecall } from '../contract/recall-contract.ts'
import { testState } from '../contract/state-contract.ts'
import type { OpenSubject } from '../contract/subject.ts'
import { Subjects } from './database.ts'
import { tier } from '../tier.ts'

const subjects = new Subjects({ partitions: 4 })
afterAll(() => subjects[Symbol.asyncDispose]())

const whole = (open: OpenSubject): void => testMemory('PostgreSQL in parts', open)
/** By day what reads and writes the parts most. */
const contracts = tier === 'daily' ? [testAppend, testReads, testRecall, testState, testArchives] : [whole]

describe('[pg-13] PostgreSQL in parts keeps the contract of a memory', () => {
  for (const contract of contracts) contract((options) => subjects.open(options))
})
