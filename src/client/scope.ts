import type { Scope } from '../api/scope.ts'
import { exportRemote } from './archive.ts'
import { remoteMethods } from './call-remote.ts'
import { archiveOperations } from '../surface/archive.ts'
import { checkCall } from '../surface/check-call.ts'
import { factOperations, retentionOperations } from '../surface/facts.ts'
import { graphOperations } from '../surface/graph.ts'
import type { Operation } from '../surface/operation.ts'
import { proposalOperations } from '../surface/proposals.ts'
import { importFileCall, importOperations } from '../surface/imports.ts'
import { recallOperations } from '../surface/recall.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import type { InTurn } from './in-turn.ts'
import { remoteSession } from './session.ts'
import type { Transport } from './transport.ts'

const described = [
  sessionOperations.list,
  ...[
    recallOperations,
    factOperations,
    retentionOperations,
    graphOperations,
    proposalOperations,
    importOperations,
  ].flatMap((noun): readonly Operation[] => Object.values(noun)),
]

type DescribedMethod =
  | 'sessions'
  | 'recall'
  | 'remember'
  | 'facts'
  | 'fact'
  | 'factHistory'
  | 'knowledgeVersion'
  | 'retract'
  | 'restore'
  | 'endorse'
  | 'endorseAll'
  | 'rollBack'
  | 'forget'
  | 'retention'
  | 'graph'
  | 'path'
  | 'entities'
  | 'entity'
  | 'predicates'
  | 'predicate'
  | 'propose'
  | 'consolidate'
  | 'proposals'
  | 'apply'
  | 'revert'
  | 'importBatch'

/** What one owner has, behind a server. */
export function remoteScope(transport: Transport, turns: InTurn, name: string): Scope {
  const methods = remoteMethods(transport, { scope: name }, described) as Pick<Scope, DescribedMethod>
  return {
    name,
    ...methods,
    session: (id, options = {}) => {
      checkSession(id, options)
      return remoteSession(transport, turns, { scope: name, session: id }, options)
    },
    export: (options = {}) => {
      checkCall(archiveOperations.export, options)
      return exportRemote(transport, { ...options, scope: name })
    },
    // The file is on this side: it is read here, and what is in it travels.
    import: async (path, options = {}) => {
      checkCall(importFileCall, path, options)
      const { importFile } = await import('../archive/import-file.ts')
      return importFile({ messageBytesMax: MESSAGE_BYTES_MAX, ...methods }, path, options)
    },
  }
}

/** What fits into a request, with room for what is around it. */
const MESSAGE_BYTES_MAX = 3 * 1024 * 1024
