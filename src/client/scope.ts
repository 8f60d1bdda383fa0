import type { Retention } from '../api/facts.ts'
import type { RecordCalls } from '../api/records.ts'
import { recordsOf } from '../records/records-of.ts'
import { recordOperations } from '../surface/records.ts'
import type { Scope } from '../api/scope.ts'
import { exportRemote } from './archive.ts'
import { remoteBlocks } from './blocks.ts'
import { readRemoteBlob } from './read-blob.ts'
import { remoteHandle } from './remote-handle.ts'
import { archiveOperations } from '../surface/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import { factOperations, retentionOperations } from '../surface/facts.ts'
import { graphOperations } from '../surface/graph.ts'
import { proposalOperations } from '../surface/proposals.ts'
import { importFileCall, importOperations } from '../surface/imports.ts'
import { recallOperations } from '../surface/recall.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import type { ServerConnection } from './server-connection.ts'
import { remoteSession } from './session.ts'
import { watchRemoteScope } from './watch-scope.ts'

/** The methods of a scope that only make a call. */
const calls = {
  sessions: sessionOperations.list,
  recall: recallOperations.ask,
  remember: factOperations.remember,
  facts: factOperations.list,
  fact: factOperations.get,
  factHistory: factOperations.history,
  knowledgeVersion: factOperations.version,
  retract: factOperations.retract,
  restore: factOperations.restore,
  endorse: factOperations.endorse,
  endorseAll: factOperations.endorseAll,
  rollBack: factOperations.rollBack,
  forget: factOperations.forget,
  graph: graphOperations.around,
  path: graphOperations.path,
  entities: graphOperations.entities,
  entity: graphOperations.entity,
  predicates: graphOperations.predicates,
  predicate: graphOperations.predicate,
  proposals: proposalOperations.list,
  propose: proposalOperations.propose,
  consolidate: proposalOperations.consolidate,
  apply: proposalOperations.apply,
  revert: proposalOperations.revert,
  importBatch: importOperations.batch,
} as const

/** What one owner has, behind a server. */
export function remoteScope({ transport, turns, importFile }: ServerConnection, name: string): Scope {
  const place = { scope: name }
  const methods = remoteHandle<Scope>(transport, place)(calls)
  const recordCalls = remoteHandle<RecordCalls>(transport, place)(recordOperations)
  return {
    name,
    retention: remoteHandle<Retention>(transport, place)(retentionOperations),
    blocks: remoteBlocks(transport, place),
    recordCalls,
    ...methods,
    records: (collection) => recordsOf(recordCalls, collection),
    session: (id, options = {}) => {
      checkSession(id, options)
      return remoteSession(transport, turns, { scope: name, session: id }, options)
    },
    blob: (hash) => readRemoteBlob(transport, name, hash),
    watch: (options = {}) => watchRemoteScope(transport, name, options),
    export: (options = {}) => {
      checkCall(archiveOperations.export, options)
      return exportRemote(transport, { ...options, scope: name })
    },
    // The file is on this side: it is read here, and what is in it travels.
    import: async (path, options = {}) => {
      checkCall(importFileCall, path, options)
      return importFile({ messageBytesMax: MESSAGE_BYTES_MAX, ...methods }, path, options)
    },
  }
}

/** What fits into a request, with room for what is around it. */
const MESSAGE_BYTES_MAX = 3 * 1024 * 1024
