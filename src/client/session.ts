import type { ForeignAppendOptions } from '../api/messages.ts'
import type { ChangeStep, ChangeOptions, Changed, SyncOptions, Synced } from '../api/changes.ts'
import type { SessionOptions } from '../api/sessions.ts'
import { draftsFrom, transcriptFrom } from '../dialects/drafts-from.ts'
import { fromBase64 } from '../domain/from-base64.ts'
import type { Message } from '../domain/message.ts'
import type { Warning } from '../domain/warning.ts'
import type { Session } from '../api/session.ts'
import { checkCall } from '../surface/check-call.ts'
import { changeOperations } from '../surface/changes.ts'
import { contextOperations } from '../surface/contexts.ts'
import { messageOperations } from '../surface/messages.ts'
import type { Operation } from '../surface/operation.ts'
import { recordedContextOperations } from '../surface/recorded-contexts.ts'
import { checkSession, sessionOperations } from '../surface/sessions.ts'
import { remoteBlocks } from './blocks.ts'
import { callRemote } from './call-remote.ts'
import { remoteHandle } from './remote-handle.ts'
import { encode } from '../wire/encode.ts'
import { type WireContext, contextFrom } from './context.ts'
import type { InTurn } from './in-turn.ts'
import { remoteState } from './state.ts'
import { remoteStreams } from './streams.ts'
import type { Sending, Transport } from './transport.ts'
import { watchRemote } from './watch.ts'

/** The methods of a session that only make a call. */
const calls = {
  history: messageOperations.history,
  recent: messageOperations.recent,
  byRole: messageOperations.byRole,
  search: messageOperations.search,
  get: messageOperations.get,
  revise: messageOperations.revise,
  remove: messageOperations.remove,
  count: sessionOperations.count,
  stats: sessionOperations.stats,
  describe: sessionOperations.describe,
  clear: sessionOperations.clear,
  usage: sessionOperations.usage,
  document: sessionOperations.document,
  window: contextOperations.window,
  compact: contextOperations.compact,
  undo: contextOperations.undo,
  compactions: contextOperations.compactions,
  reopen: contextOperations.reopen,
  contexts: recordedContextOperations.list,
  contextAt: recordedContextOperations.read,
  tokenHistory: recordedContextOperations.tokens,
  simulateCache: recordedContextOperations.simulate,
} as const

interface SessionPath {
  readonly scope: string
  readonly session: string
}

/** One conversation, behind a server. */
export function remoteSession(
  transport: Transport,
  turns: InTurn,
  place: SessionPath,
  options: SessionOptions,
): Session {
  const { scope, session } = place
  const here = JSON.stringify([scope, session])
  const call = <Answer>(operation: Operation, sending: Sending): Promise<Answer> =>
    transport.call<Answer>(operation, { names: { scope, session }, ...sending })

  const writes = remoteWrites(transport, turns, place, options)

  return {
    id: session,
    ...remoteHandle<Session>(transport, { scope, session })(calls),
    ...writes,
    ...remoteStreams(transport, turns, { ...place, ...options }, writes),
    sync: async (transcript: unknown, settings: SyncOptions = {}) => {
      transport.checkOpen()
      checkCall(changeOperations.sync, transcript, settings)
      const { dialect, ...syncing } = settings
      const given = { ...syncing, ...options, messages: transcriptFrom(dialect, transcript) }
      const body = JSON.parse(encode(given)) as unknown
      return turns.run(here, () => call<Synced>(changeOperations.sync, { body }))
    },
    context: async (asked = {}) => {
      checkCall(contextOperations.build, asked)
      const answer = await call<WireContext>(contextOperations.build, {
        body: { ...asked, ...options, blobs: true },
      })
      return contextFrom(answer, asked)
    },
    fork: async (newId, forking = {}) => {
      await callRemote(transport, sessionOperations.fork, { scope, session }, [newId, forking])
      return remoteSession(transport, turns, { scope, session: newId }, {})
    },
    sibling: (id) => {
      checkSession(id, {})
      return remoteSession(transport, turns, { scope, session: id }, {})
    },
    watch: (watching = {}) => watchRemote(transport, turns, place, watching),
    blobs: async (given) => {
      const { blobs } = await call<{ blobs: Readonly<Record<string, string>> }>(messageOperations.blobs, {
        body: { messages: given },
      })
      return new Map(Object.entries(blobs).map(([hash, text]) => [hash, fromBase64(text)]))
    },
    state: remoteState(transport, { scope, session }),
    blocks: remoteBlocks(transport, { scope, session }),
  }
}

/** The calls that may start a session, each in its turn. */
function remoteWrites(
  transport: Transport,
  turns: InTurn,
  { scope, session }: SessionPath,
  options: SessionOptions,
): Pick<Session, 'append' | 'change'> {
  const here = JSON.stringify([scope, session])
  const call = <Answer>(operation: Operation, sending: Sending): Promise<Answer> =>
    transport.call<Answer>(operation, { names: { scope, session }, ...sending })
  return {
    append: async (said: unknown, settings: Partial<ForeignAppendOptions> = {}) => {
      transport.checkOpen()
      checkCall(messageOperations.append, said, settings)
      const { from, ...appending } = settings
      const given = from === undefined ? said : draftsFrom('append', from, said)
      // Copied now: what the caller changes while this waits its turn must not be what is sent.
      const body = JSON.parse(encode({ ...appending, ...options, messages: given })) as unknown
      const answer = await turns.run(here, () =>
        call<{ messages: readonly Message[]; warnings: readonly Warning[] }>(messageOperations.append, {
          body,
          idempotencyKey: appending.operationId,
        }),
      )
      return Object.assign([...answer.messages], { warnings: answer.warnings }) as never
    },
    change: async (steps: readonly ChangeStep[], settings: ChangeOptions = {}) => {
      transport.checkOpen()
      checkCall(changeOperations.change, steps, settings)
      const body = JSON.parse(encode({ ...settings, ...options, steps })) as unknown
      return turns.run(here, () =>
        call<Changed>(changeOperations.change, { body, idempotencyKey: settings.operationId }),
      )
    },
  }
}
