import { archiveOperations, wholeArchiveOperations } from './archive.ts'
import { blockOperations, sessionBlockOperations } from './blocks.ts'
import { changeOperations } from './changes.ts'
import { contextOperations } from './contexts.ts'
import { messageOperations } from './messages.ts'
import { factOperations, retentionOperations } from './facts.ts'
import { graphOperations } from './graph.ts'
import { importOperations } from './imports.ts'
import { jobOperations } from './jobs.ts'
import { auditOperations, keyOperations } from './keys.ts'
import { memoryOperations } from './memory.ts'
import type { Operation } from './operation.ts'
import { noteOperations } from './notes.ts'
import { proposalOperations } from './proposals.ts'
import { recallOperations } from './recall.ts'
import { recordedContextOperations } from './recorded-contexts.ts'
import { recordOperations } from './records.ts'
import { sessionOperations } from './sessions.ts'
import { stateOperations } from './state.ts'
import { streamOperations } from './streams.ts'
import { taskOperations } from './tasks.ts'
import { watchOperations } from './watching.ts'

/** Every operation that is described, in the order of the OpenAPI document. */
export const surface: readonly Operation[] = [
  messageOperations,
  streamOperations,
  changeOperations,
  sessionOperations,
  watchOperations,
  contextOperations,
  recordedContextOperations,
  stateOperations,
  taskOperations,
  noteOperations,
  blockOperations,
  sessionBlockOperations,
  recordOperations,
  recallOperations,
  factOperations,
  retentionOperations,
  graphOperations,
  proposalOperations,
  importOperations,
  archiveOperations,
  jobOperations,
  memoryOperations,
  wholeArchiveOperations,
  keyOperations,
  auditOperations,
].flatMap((noun): readonly Operation[] => Object.values(noun))
