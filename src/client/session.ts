import { draftsFrom } from '../dialects/drafts-from.ts'
import { checkOptions } from '../domain/check-options.ts'
import type { Dialect } from '../domain/dialect.ts'
import type { Fold } from '../domain/fold.ts'
import type { Message } from '../domain/message.ts'
import type { Warning } from '../domain/warning.ts'
import type { AppendOptions } from '../log/append.ts'
import type { Session, SessionOptions } from '../memory/session.ts'
import { encode } from '../wire/encode.ts'
import type { OperationName } from '../wire/operations.ts'
import { type WireContext, contextFrom } from './context.ts'
import type { InTurn } from './in-turn.ts'
import { isoDates } from './iso-dates.ts'
import { orUndefined } from './or-undefined.ts'
import { remoteState } from './state.ts'
import type { Sending, Transport } from './transport.ts'
import { watchRemote } from './watch.ts'

interface Place {
  readonly scope: string
  readonly session: string
}

/** One conversation, behind a server. */
export function remoteSession(transport: Transport, turns: InTurn, place: Place, options: SessionOptions): Session {
  const { scope, session } = place
  const here = JSON.stringify([scope, session])
  const call = <Answer>(operation: OperationName, { names, ...sending }: Sending = {}): Promise<Answer> =>
    transport.call<Answer>(operation, { names: { scope, session, ...names }, ...sending })
  const messages = async (operation: OperationName, query: object): Promise<readonly Message[]> =>
    (await call<{ messages: readonly Message[] }>(operation, { query })).messages
  const asOfOnly = (attempt: string, given: object): object => {
    checkOptions(attempt, given, ['asOf'])
    return given
  }

  return {
    id: session,
    append: async (said: unknown, terms: AppendOptions & { readonly from?: Dialect } = {}) => {
      transport.checkOpen()
      checkOptions('append', terms, ['after', 'operationId', 'strict', 'from'])
      const { from, ...appending } = terms
      const given = from === undefined ? said : draftsFrom('append', from, said)
      // Copied now: what the caller changes while this waits its turn must not be what is sent.
      const body = JSON.parse(encode({ ...appending, ...options, messages: given })) as unknown
      const answer = await turns.run(here, () =>
        call<{ messages: readonly Message[]; warnings: readonly Warning[] }>('messages.append', {
          body,
          idempotencyKey: appending.operationId,
        }),
      )
      return Object.assign([...answer.messages], { warnings: answer.warnings }) as never
    },
    history: async (query = {}) => messages('messages.history', query),
    window: async (query = {}) =>
      (await call<{ window: readonly (Message | Fold)[] }>('contexts.window', { query })).window,
    context: async (asked) => {
      const answer = await call<WireContext>('contexts.build', { body: { ...asked, blobs: true } })
      return contextFrom(answer, asked)
    },
    compact: async (body = {}) => call('contexts.compact', { body }),
    undo: async (compaction) =>
      (await call<{ undone: readonly number[] }>('contexts.undo', { body: { compaction } })).undone,
    reopen: async (fold, query = {}) => call('contexts.reopen', { names: { fold }, query }),
    recent: async (n, query = {}) => messages('messages.recent', { ...asOfOnly('read recent messages', query), n }),
    byRole: async (role, n, query = {}) => messages('messages.byRole', { ...asOfOnly('read by role', query), role, n }),
    search: async (text, query = {}) => messages('messages.search', { ...query, text }),
    get: (message, query = {}) => orUndefined(call<Message>('messages.get', { names: { message }, query })),
    count: async (query = {}) => (await call<{ count: number }>('sessions.count', { query })).count,
    stats: async (query = {}) => call('sessions.stats', { query }),
    revise: async (message, patch) => call('messages.revise', { names: { message }, body: patch }),
    remove: async (message) => (await call<{ removed: boolean }>('messages.remove', { names: { message } })).removed,
    clear: async (body = {}) => call('sessions.clear', { body }),
    fork: async (newId, forking = {}) => {
      await call('sessions.fork', { body: { ...forking, newId } })
      return remoteSession(transport, turns, { scope, session: newId }, {})
    },
    watch: (watching = {}) => watchRemote(transport, turns, place, watching),
    blobs: async (given) => {
      const { blobs } = await call<{ blobs: Readonly<Record<string, string>> }>('messages.blobs', {
        body: { messages: given },
      })
      return new Map(Object.entries(blobs).map(([hash, text]) => [hash, new Uint8Array(Buffer.from(text, 'base64'))]))
    },
    document: async (query = {}) => call('sessions.document', { query: isoDates(query) }),
    state: remoteState(call),
    usage: async (body) => {
      await call('sessions.usage', { body })
    },
  }
}
