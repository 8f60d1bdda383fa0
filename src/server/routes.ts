import { defined } from '../domain/defined.ts'
import type { Session } from '../api/session.ts'
import type { ForkOptions, SessionOptions } from '../api/sessions.ts'
import { join } from 'node:path'
import type { Draft } from '../domain/message.ts'
import { allows } from '../domain/key.ts'
import { refuse } from '../domain/refuse.ts'
import { archiveOperations, wholeArchiveOperations } from '../surface/archive.ts'
import { blockOperations, sessionBlockOperations } from '../surface/blocks.ts'
import { factOperations } from '../surface/facts.ts'
import { jobOperations } from '../surface/jobs.ts'
import { surface } from '../surface/index.ts'
import { memoryOperations } from '../surface/memory.ts'
import { messageOperations } from '../surface/messages.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { sessionOperations } from '../surface/sessions.ts'
import { streamOperations } from '../surface/streams.ts'
import { appendLines } from './append-lines.ts'
import { appendMessages } from './append-messages.ts'
import { receiveArchive, sendArchive } from './archive-streams.ts'
import { changeRoute, syncRoute } from './change-routes.ts'
import { channelOf, optionsOf, sessionOf } from './arguments.ts'
import { callOperation, fieldsFor } from './call-operation.ts'
import { confirmedForget } from './confirmed-forget.ts'
import { exportLines } from './export-lines.ts'
import { importUpload } from './import-upload.ts'
import { inBase64 } from './in-base64.ts'
import { sendBlob } from './send-blob.ts'
import { sendContext } from './send-context.ts'
import { watchScopeEvents, watchSessionEvents } from './watch-events.ts'
import type { Call, Route } from './route.ts'

/** Operations that do more than call the library with what was sent. */
const special: Readonly<Record<string, (call: Call) => unknown>> = {
  'messages.append': appendMessages,
  'messages.bulk': appendLines,
  'streams.keep': keepPiece,
  'changes.change': changeRoute,
  'changes.sync': syncRoute,
  'messages.export': exportLines,
  'messages.watch': watchSessionEvents,
  'events.watch': watchScopeEvents,
  'messages.blobs': readBlobs,
  'messages.blob': sendBlob,
  'sessions.fork': forkSession,
  'contexts.build': sendContext,
  'facts.remember': (call) => callOperation(factOperations.remember, withChannel(call)),
  'facts.retract': (call) => callOperation(factOperations.retract, withChannel(call)),
  ...blockWrites(blockOperations),
  ...blockWrites(sessionBlockOperations),
  'facts.forget': confirmedForget,
  'imports.file': importUpload,
  'archive.export': (call) => sendArchive(call, archiveOperations.export),
  'archive.import': (call) => receiveArchive(call, archiveOperations.import),
  'memory.export': (call) => sendArchive(call, wholeArchiveOperations.export),
  'memory.import': (call) => receiveArchive(call, wholeArchiveOperations.import),
  'memory.backup': backUp,
  'jobs.inScope': async (call) => ({
    jobs: await call.memory.jobs.list({ ...fieldsFor(jobOperations.inScope, call), scope: call.scope.name }),
  }),
}

/** The first piece may start the session, so it may have its description. */
function keepPiece(call: Call): unknown {
  const { given, sent } = argumentsFrom(streamOperations.keep, optionsOf(call), call.names)
  return sessionOf(call, sent as SessionOptions).keepPiece(...(given as Parameters<Session['keepPiece']>))
}

/** One route for each operation. */
export const routes: readonly Route[] = surface.map((operation) => ({
  operation,
  handle: special[operation.name] ?? ((call) => callOperation(operation, call)),
}))

/** Trust comes from the key and never from a field of the request: a caller may only say less. */
function withChannel(call: Call): Call {
  const { channel, ...rest } = optionsOf<{ readonly channel?: unknown }>(call)
  return { ...call, body: { ...rest, ...defined({ channel: channelOf(call, channel) }) } }
}

/** Models see the words of the operator as they are, so a key that may not instruct has its words quoted. */
function blockWrites({ set, edit }: typeof blockOperations): Readonly<Record<string, (call: Call) => unknown>> {
  return Object.fromEntries(
    [set, edit].map((operation) => [
      operation.name,
      (call: Call) => callOperation(operation, allows(call.key.can, 'instruct') ? call : withChannel(call)),
    ]),
  )
}

/** The library returns a handle of the new session; over HTTP its id is sent. */
async function forkSession(call: Call): Promise<unknown> {
  const { given } = argumentsFrom(sessionOperations.fork, optionsOf(call), call.names)
  const { id } = await sessionOf(call).fork(...(given as readonly [string, ForkOptions]))
  return { session: id }
}

/** A backup is a file of one directory of the server, with a plain name: no key may write anywhere else on its disk. */
async function backUp(call: Call): Promise<unknown> {
  const [file] = argumentsFrom(memoryOperations.backup, optionsOf(call), call.names).given
  if (typeof file !== 'string' || !/^[\w-][\w.-]{0,199}$/.test(file))
    refuse(
      'back up',
      'file',
      file,
      "a name of letters, digits, dots and dashes, for a file in the server's backup directory",
    )
  if (call.backups === undefined)
    refuse('back up', 'backups', undefined, 'a server that was started with a backup directory')
  return { ...(await call.memory.backup(join(call.backups, file))), file }
}

async function readBlobs(call: Call): Promise<unknown> {
  const { given } = argumentsFrom(messageOperations.blobs, optionsOf(call), call.names)
  return { blobs: inBase64(await sessionOf(call).blobs(...(given as readonly [readonly Draft[]]))) }
}
