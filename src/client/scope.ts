import type { ImportedBatch, ImportBatch } from '../archive/import-file.ts'
import { checkImport } from '../archive/check-import.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import type { Scope } from '../memory/scope.ts'
import type { OperationName } from '../wire/operations.ts'
import { exportRemote } from './archive.ts'
import { remoteMethods } from './call-remote.ts'
import { factOperations, retentionOperations } from '../surface/facts.ts'
import { graphOperations } from '../surface/graph.ts'
import type { Operation } from '../surface/operation.ts'
import { proposalOperations } from '../surface/proposals.ts'
import { recallOperations } from '../surface/recall.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import type { InTurn } from './in-turn.ts'
import { remoteSession } from './session.ts'
import type { Sending, Transport } from './transport.ts'

const described = [
  sessionOperations.list,
  ...[recallOperations, factOperations, retentionOperations, graphOperations, proposalOperations].flatMap(
    (noun): readonly Operation[] => Object.values(noun),
  ),
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

/** What one owner has, behind a server. */
export function remoteScope(transport: Transport, turns: InTurn, name: string): Scope {
  const call = <Answer>(operation: OperationName, { names, ...sending }: Sending = {}): Promise<Answer> =>
    transport.call<Answer>(operation, { names: { scope: name, ...names }, ...sending })

  return {
    name,
    ...(remoteMethods(transport, { scope: name }, described) as Pick<Scope, DescribedMethod>),
    session: (id, options = {}) => {
      checkSession(id, options)
      return remoteSession(transport, turns, { scope: name, session: id }, options)
    },
    export: (options = {}) => {
      checkOptions('export', options, ['session', 'onProgress'])
      return exportRemote(transport, { ...options, scope: name })
    },
    // The file is on this side: it is read here, and what is in it travels.
    import: async (path, options = {}) => {
      checkImport(path, options)
      const { importFile } = await import('../archive/import-file.ts')
      return importFile({ messageBytesMax: MESSAGE_BYTES_MAX, importBatch }, path, options)
    },
    importBatch,
  }

  function importBatch(batch: ImportBatch, options: object = {}): Promise<ImportedBatch> {
    return call('imports.batch', { body: { ...objectOf(options), batch } })
  }
}

/** What fits into a request, with room for what is around it. */
const MESSAGE_BYTES_MAX = 3 * 1024 * 1024

function objectOf(options: unknown): object {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse('call the server', 'options', options, 'an object')
  return options
}
