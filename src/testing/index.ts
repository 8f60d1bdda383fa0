import { describe } from 'vitest'
import { testAmendments } from './amend-contract.ts'
import { testAppend } from './append-contract.ts'
import { testArchives } from './archive-contract.ts'
import { testContexts } from './context-contract.ts'
import { testFacts } from './fact-contract.ts'
import { testForgetting } from './forget-contract.ts'
import { testGraph } from './graph-contract.ts'
import { testImports } from './import-contract.ts'
import { testReads } from './read-contract.ts'
import { testRecall } from './recall-contract.ts'
import { testScopes } from './scope-contract.ts'
import { testDocuments } from './document-contract.ts'
import { testState } from './state-contract.ts'
import { testStats } from './stats-contract.ts'
import type { OpenSubject } from './subject.ts'
import { testTools } from './tool-contract.ts'
import { testTrust } from './trust-contract.ts'
import { testWatch } from './watch-contract.ts'

/**
 * The contract of a memory, whatever store is behind it. Runs in vitest; `open` gives a fresh, empty memory each time. A
 * store that cannot pass all of it is not a store.
 */
export function testMemory(name: string, open: OpenSubject): void {
  describe(`${name} keeps the contract of a memory`, () => {
    testAppend(open)
    testTools(open)
    testReads(open)
    testAmendments(open)
    testScopes(open)
    testWatch(open)
    testContexts(open)
    testFacts(open)
    testTrust(open)
    testImports(open)
    testGraph(open)
    testRecall(open)
    testArchives(open)
    testForgetting(open)
    testStats(open)
    testState(open)
    testDocuments(open)
  })
}

export type { OpenSubject }
