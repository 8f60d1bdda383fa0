import { afterAll, describe } from 'vitest'
import { testMemory } from '../../src/testing/index.ts'
import { testAppend } from '../../src/testing/append-contract.ts'
import { testArchives } from '../../src/testing/archive-contract.ts'
import { testReads } from '../../src/testing/read-contract.ts'
import { testRecall } from '../../src/testing/recall-contract.ts'
import { testState } from '../../src/testing/state-contract.ts'
import { Subjects } from '../postgres/database.ts'
import { tier } from '../tier.ts'

const subjects = new Subjects({ partitions: 4 })
afterAll(() => subjects[Symbol.asyncDispose]())

// [pg-13] The same suite on tables in parts: at night all of it, by day what reads and writes them most.
if (tier !== 'daily') testMemory('PostgreSQL in parts', (options) => subjects.open(options))
else
  describe('PostgreSQL in parts keeps the contract of a memory', () => {
    for (const contract of [testAppend, testReads, testRecall, testState, testArchives])
      contract((options) => subjects.open(options))
  })
