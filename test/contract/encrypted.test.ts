import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testAmendments } from '../../src/testing/amend-contract.ts'
import { testAppend } from '../../src/testing/append-contract.ts'
import { testArchives } from '../../src/testing/archive-contract.ts'
import { testContexts } from '../../src/testing/context-contract.ts'
import { testDocuments } from '../../src/testing/document-contract.ts'
import { testFacts } from '../../src/testing/fact-contract.ts'
import { testGraph } from '../../src/testing/graph-contract.ts'
import { testMemory } from '../../src/testing/index.ts'
import { testReads } from '../../src/testing/read-contract.ts'
import { testScopes } from '../../src/testing/scope-contract.ts'
import { testState } from '../../src/testing/state-contract.ts'
import type { OpenSubject } from '../../src/testing/subject.ts'
import { testTools } from '../../src/testing/tool-contract.ts'
import { testTrust } from '../../src/testing/trust-contract.ts'
import { testWatch } from '../../src/testing/watch-contract.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-encrypted-contract-'))
let files = 0
afterAll(() => rmSync(directory, { recursive: true }))

const file = randomBytes(32)
const content = randomBytes(32)

// [keep-3] Encrypted as a whole, a file is like any other.
testMemory('an encrypted SQLite file', (options) =>
  openMemory(join(directory, `${++files}.db`), { ...options, encryption: { file } }),
)

// [keep-4] With keys for each session, everything works but what searches copies: recall, and what is learned, which the suite of imports asks for too.
describe('content that is encrypted keeps the contract of a memory', () => {
  const open: OpenSubject = (options) => openMemory(':memory:', { ...options, encryption: { content } })
  testAppend(open)
  testTools(open)
  testReads(open)
  testAmendments(open)
  testScopes(open)
  testWatch(open)
  testContexts(open)
  testFacts(open)
  testTrust(open)
  testGraph(open)
  testArchives(open)
  testState(open)
  testDocuments(open)
})
