import { describe } from 'vitest'
import { testAmendments } from './amend-contract.ts'
import { testAppend } from './append-contract.ts'
import { testArchives } from './archive-contract.ts'
import { testBlocks } from './block-contract.ts'
import { testChanges } from './change-contract.ts'
import { testContexts } from './context-contract.ts'
import { testFacts } from './fact-contract.ts'
import { testFactHistory } from './fact-history-contract.ts'
import { testUsersName } from './users-name-contract.ts'
import { testFactValues } from './fact-values-contract.ts'
import { testForgetting, testForgettingCopies } from './forget-contract.ts'
import { testGraph } from './graph-contract.ts'
import { testHeads } from './head-contract.ts'
import { testImports } from './import-contract.ts'
import { testRecordedContexts } from './recorded-context-contract.ts'
import { testReads } from './read-contract.ts'
import { testRecall } from './recall-contract.ts'
import { testRecords } from './records-contract.ts'
import { testScopes } from './scope-contract.ts'
import { testDescriptions } from './description-contract.ts'
import { testDocuments } from './document-contract.ts'
import { testTenants } from './tenant-contract.ts'
import { testStreams } from './stream-contract.ts'
import { testState } from './state-contract.ts'
import { testStats } from './stats-contract.ts'
import type { OpenSubject } from './subject.ts'
import { testTools } from './tool-contract.ts'
import { testTrust } from './trust-contract.ts'
import { testWatch } from './watch-contract.ts'

type Suite =
  | 'append'
  | 'tools'
  | 'reads'
  | 'amendments'
  | 'changes'
  | 'scopes'
  | 'tenants'
  | 'watch'
  | 'contexts'
  | 'recordedContexts'
  | 'facts'
  | 'factHistory'
  | 'values'
  | 'usersName'
  | 'trust'
  | 'imports'
  | 'graph'
  | 'recall'
  | 'archives'
  | 'forgetting'
  | 'forgettingCopies'
  | 'stats'
  | 'heads'
  | 'state'
  | 'documents'
  | 'blocks'
  | 'descriptions'
  | 'records'
  | 'streams'

const suites: Readonly<Record<Suite, (open: OpenSubject) => void>> = {
  streams: testStreams,
  append: testAppend,
  tools: testTools,
  reads: testReads,
  amendments: testAmendments,
  changes: testChanges,
  scopes: testScopes,
  tenants: testTenants,
  watch: testWatch,
  contexts: testContexts,
  recordedContexts: testRecordedContexts,
  facts: testFacts,
  factHistory: testFactHistory,
  values: testFactValues,
  usersName: testUsersName,
  trust: testTrust,
  imports: testImports,
  graph: testGraph,
  recall: testRecall,
  archives: testArchives,
  forgetting: testForgetting,
  forgettingCopies: testForgettingCopies,
  stats: testStats,
  heads: testHeads,
  state: testState,
  documents: testDocuments,
  blocks: testBlocks,
  descriptions: testDescriptions,
  records: testRecords,
}

/**
 * The contract of a memory, which every store and the client must pass in full. `open` returns a fresh, empty memory each
 * time; `without` names what an option of that memory switches off.
 */
export function testMemory(
  name: string,
  open: OpenSubject,
  { without = [] }: { readonly without?: readonly Suite[] } = {},
): void {
  describe(`${name} keeps the contract of a memory`, () => {
    for (const [suite, test] of Object.entries(suites)) if (!without.includes(suite as Suite)) test(open)
  })
}
