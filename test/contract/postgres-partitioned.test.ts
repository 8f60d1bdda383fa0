import { afterAll, describe } from 'vitest'
import { testMemory } from '../../src/testing/index.ts'
import { testAppend } from '../../src/testing/append-contract.ts'
import { testArchives } from '../../src/testing/archive-contract.ts'
import { testReads } from '../../src/testing/read-contract.ts'
import { testRecall } from '../../src/testing/recall-contract.ts'
import { testState } from '../../src/testing/state-contract.ts'
import type { OpenSubject } from '../../src/testing/subject.ts'
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
