import type { AsOf, ForeignAppendOptions, HistoryOptions, SearchOptions, WatchOptions } from '../api/messages.ts'
import { dialects } from '../domain/dialect.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import type { Warning } from '../domain/warning.ts'
import { aListOf, either, parsed } from '../shape/combine.ts'
import { aMapOf, anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import {
  aCount,
  aFlag,
  aJsonObject,
  aMoment,
  aNull,
  aPosition,
  aText,
  aWholeNumber,
  anId,
  anInstance,
  notSent,
  oneOf,
  someText,
  checkedBy,
} from '../shape/values.ts'
import { aDraft, aMessage, aMessageRevision, aNewMessage, aRole, aWarning } from './message-shapes.ts'
import { noun } from './noun.ts'
import type { Described, Operation } from './operation.ts'
import { SCOPE, SESSION } from './paths.ts'

const MESSAGES = `${SESSION}/messages`
const MESSAGE = `${MESSAGES}/{id}`

const asOf: FieldsOf<AsOf> = {
  asOf: mayHave(aMoment, 'The session as it was at this moment: a time, or a version of its log', 'now'),
}

const stale: OptionalField<boolean> = mayHave(
  aFlag,
  'Accept a result that may be slightly out of date, from a replica if there is one',
  'false',
)

export const asOfOptions: Shape<AsOf> = anObject('AsOf', asOf)

const appendOptions: Shape<Partial<ForeignAppendOptions>> = anObject('ForeignAppendOptions', {
  after: mayHave(
    aPosition,
    'Append only if this is still the last position; 0 if the session must be empty',
    'wherever the log ends',
  ),
  operationId: mayHave(anId, 'An id for this append, which makes a retry safe'),
  strict: mayHave(aFlag, 'Refuse tool results without a call, instead of storing them with a warning', 'false'),
  from: mayHave(
    // A client converts the messages before it sends them.
    notSent(oneOf(dialects)),
    'The dialect that the messages are in: they are stored as they are, converted',
  ),
})

const historyOptions: Shape<HistoryOptions> = anObject('HistoryOptions', {
  limit: mayHave(aCount, 'At most this many messages: the oldest, or with `before` alone the newest before it', 'all'),
  before: mayHave(
    aPosition,
    'Only messages with a smaller sequence number: the first of this page is the `before` of the page before',
  ),
  after: mayHave(
    aPosition,
    'Only messages with a greater sequence number: the last of this page is the `after` of the next',
  ),
  role: mayHave(aRole, 'Only messages of this role'),
  tag: mayHave(aText, 'Only messages with this tag'),
  where: mayHave(aJsonObject, 'Only messages whose metadata has these values'),
  text: mayHave(aText, 'Only messages with this text in them, in any case'),
  ...asOf,
  stale,
})

const searchOptions: Shape<SearchOptions> = anObject('SearchOptions', {
  ...asOf,
  limit: mayHave(aCount, 'At most this many messages, the newest', 'all'),
  stale,
})

const watchOptions: Shape<WatchOptions> = anObject('WatchOptions', {
  after: mayHave(
    aPosition,
    'Start with the first message after this sequence number; 0 for the whole history',
    'the end of the log',
  ),
  signal: mayHave(anInstance(AbortSignal, 'an AbortSignal'), 'Ends the watch'),
})

const newMessages: Shape<NewMessage | readonly NewMessage[]> = parsed(
  either([aNewMessage, aListOf(aNewMessage)], { wanted: 'a message or a list of messages' }) as Shape<
    NewMessage | readonly NewMessage[]
  >,
)

const aHash: Shape<string> = checkedBy({ kind: 'text' }, 'a SHA-256 in hex', (attempt, path, given) => {
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) refuse(attempt, path, given, 'a SHA-256 in hex')
})

const messageId: RequiredField<string> = mustHave(anId, 'The id of the message')

const messages: Shape<{ readonly messages: readonly Message[] }> = anObject(undefined, {
  messages: mustHave(aListOf(aMessage), 'The messages, oldest first'),
})

/** What reads messages have in common. */
const read = {
  can: 'read',
  method: 'get',
  answer: messages,
  as: 'messages',
  writes: false,
} as const satisfies Partial<Described>

type Name =
  | 'append'
  | 'bulk'
  | 'export'
  | 'history'
  | 'get'
  | 'revise'
  | 'remove'
  | 'recent'
  | 'byRole'
  | 'search'
  | 'watch'
  | 'blobs'
  | 'blob'

export const messageOperations: Readonly<Record<Name, Operation>> = noun('messages', {
  append: {
    help: 'Append messages, all or none. They are on disk when the call returns',
    attempt: 'append',
    call: 'append',
    can: 'write',
    method: 'post',
    path: MESSAGES,
    takes: { messages: mustHave(newMessages, 'A message, or a list of messages') },
    options: appendOptions,
    sends: { description: mayHave(someText, 'The system message that a new session starts with') },
    answer: anObject<{ readonly messages: readonly Message[]; readonly warnings: readonly Warning[] }>(undefined, {
      messages: mustHave(aListOf(aMessage), 'The messages as stored, in the order given'),
      warnings: mustHave(aListOf(aWarning), 'What was odd about them'),
    }),
    creates: true,
    writes: true,
    repeat: 'by-log',
  },
  bulk: {
    help: 'Append one message per line as they arrive. A retry with the same Idempotency-Key resumes where the first try ended',
    attempt: 'append in bulk',
    call: 'append',
    can: 'write',
    method: 'post',
    path: `${MESSAGES}/bulk`,
    answer: anObject<{ readonly appended: number; readonly lastSeq: number | null; readonly warnings: number }>(
      undefined,
      {
        appended: mustHave(aWholeNumber, 'How many messages were appended'),
        lastSeq: mustHave(either([aWholeNumber, aNull]), 'The position of the last one; null if there was none'),
        warnings: mustHave(aWholeNumber, 'How many were odd'),
      },
    ),
    writes: true,
    repeat: 'by-log',
    streams: { in: 'application/x-ndjson', item: aNewMessage },
    patient: true,
  },
  export: {
    ...read,
    help: 'Read the history, one message per line',
    attempt: 'read the history',
    call: 'history',
    path: `${MESSAGES}/export`,
    options: historyOptions,
    answer: aMessage,
    streams: { out: 'application/x-ndjson' },
  },
  history: {
    ...read,
    help: 'Read everything ever appended, oldest first. What was taken out of the window is marked `removed`',
    attempt: 'read the history',
    call: 'history',
    path: MESSAGES,
    options: historyOptions,
  },
  get: {
    help: 'Read one message by its id, removed or not',
    attempt: 'get a message',
    call: 'get',
    can: 'read',
    method: 'get',
    path: MESSAGE,
    takes: { id: messageId },
    options: asOfOptions,
    answer: aMessage,
    missing: 'log/not-found',
    writes: false,
  },
  revise: {
    help: 'Give a message new content. The earlier revision stays readable with `asOf`',
    attempt: 'revise',
    call: 'revise',
    can: 'write',
    method: 'patch',
    path: MESSAGE,
    takes: { id: messageId },
    options: aMessageRevision,
    answer: aMessage,
    writes: true,
    repeat: 'by-version',
  },
  remove: {
    help: 'Take a message out of the window. The log keeps it',
    attempt: 'remove',
    call: 'remove',
    can: 'write',
    method: 'delete',
    path: MESSAGE,
    takes: { id: messageId },
    answer: anObject<{ readonly removed: boolean }>(undefined, {
      removed: mustHave(aFlag, 'Whether there was something to take out'),
    }),
    as: 'removed',
    writes: true,
    repeat: 'harmless',
  },
  recent: {
    ...read,
    help: 'Read the newest messages of the window, oldest first',
    attempt: 'read recent messages',
    call: 'recent',
    path: `${SESSION}/recent`,
    takes: { n: mustHave(aCount, 'How many messages') },
    options: asOfOptions,
  },
  byRole: {
    ...read,
    help: 'Read the messages of one role in the window, oldest first',
    attempt: 'read by role',
    call: 'byRole',
    path: `${SESSION}/by-role`,
    takes: { role: mustHave(aRole, 'The role'), n: mayHave(aCount, 'At most this many messages, the newest', 'all') },
    options: asOfOptions,
  },
  search: {
    ...read,
    help: 'Find messages of the window that have a text in them, in any case, oldest first',
    attempt: 'search',
    call: 'search',
    path: `${SESSION}/search`,
    takes: { text: mustHave(aText, 'The text') },
    options: searchOptions,
  },
  watch: {
    ...read,
    help: 'Follow a session: every new message, once and in order, as server-sent events. Last-Event-ID resumes after one',
    attempt: 'watch',
    call: 'watch',
    path: `${SESSION}/watch`,
    options: watchOptions,
    answer: aMessage,
    streams: { out: 'text/event-stream' },
  },
  blobs: {
    help: 'Read the bytes of images and files that messages point to, in base64 by hash',
    attempt: 'read blobs',
    call: 'blobs',
    can: 'read',
    method: 'post',
    path: `${SESSION}/blobs`,
    takes: {
      messages: mustHave(aListOf(aDraft, { wanted: 'an array of messages' }), 'Messages, as they are returned'),
    },
    answer: anObject<{ readonly blobs: Readonly<Record<string, string>> }>(undefined, {
      blobs: mustHave(aMapOf(aText), 'The bytes in base64, by hash'),
    }),
    as: 'blobs',
    writes: false,
  },
  blob: {
    help: 'Read the bytes of one image or file by its hash. An image has its own type; anything else is a download',
    attempt: 'read a blob',
    call: 'blob',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/blobs/{hash}`,
    takes: { hash: mustHave(aHash, 'The hash that the source of an image, a file or a sound has') },
    answer: aText,
    missing: 'log/not-found',
    writes: false,
    streams: {
      out: 'application/octet-stream',
      also: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'],
    },
  },
})
