import { contextOperations } from './contexts.ts'
import { messageOperations } from './messages.ts'
import { factOperations, retentionOperations } from './facts.ts'
import { graphOperations } from './graph.ts'
import { jobOperations } from './jobs.ts'
import { auditOperations, keyOperations } from './keys.ts'
import type { Operation } from './operation.ts'
import { proposalOperations } from './proposals.ts'
import { recallOperations } from './recall.ts'
import { sessionOperations } from './sessions.ts'

/** Every operation that is described, in the order of the OpenAPI document. */
export const surface: readonly Operation[] = [
  messageOperations,
  sessionOperations,
  contextOperations,
  recallOperations,
  factOperations,
  retentionOperations,
  graphOperations,
  proposalOperations,
  jobOperations,
  keyOperations,
  auditOperations,
].flatMap((noun): readonly Operation[] => Object.values(noun))
