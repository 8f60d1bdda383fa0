import type {
  ClearOptions,
  Cleared,
  ForkOptions,
  ForkOrigin,
  PreviewedContext,
  ReportedUsage,
  SessionOptions,
  SessionPreview,
  SessionStats,
  SessionSummary,
  SessionsOptions,
  SessionsPage,
} from '../api/sessions.ts'
import { type Role, roles } from '../domain/message.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, Shape } from '../shape/shape.ts'
import {
  aCount,
  aFlag,
  aMoment,
  aNull,
  aPosition,
  aText,
  aWholeNumber,
  aWholeNumberFrom,
  anId,
  anIsoTime,
  someText,
  oneOf,
} from '../shape/values.ts'
import { aDocument, documentOptions } from './document-shapes.ts'
import { aMessage } from './message-shapes.ts'
import { asOfOptions } from './messages.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE, SESSION } from './paths.ts'

const sessionOptions: Shape<SessionOptions> = anObject('SessionOptions', {
  description: mayHave(someText, 'The system message that a new session starts with'),
})

/**
 * Checks what a handle of a session is made from. Making one is no operation: nothing is read or stored.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkSession(id: string, options: SessionOptions): void {
  anId.check('open a session', 'id', id)
  sessionOptions.check('open a session', '', options)
}

const sessionsOptions: Shape<SessionsOptions> = anObject('SessionsOptions', {
  limit: mayHave(aCount, 'At most this many sessions', '50'),
  after: mayHave(aText, 'The `next` of the page before'),
  text: mayHave(aText, 'Only sessions with this text in their id or description, in any case'),
  order: mayHave(
    oneOf(['created', 'active']),
    'Which sessions come first: those created last, or with `active` those changed last',
    "'created'",
  ),
  preview: mayHave(aFlag, 'Add to each session its title, who spoke last and how large its last context was', 'false'),
})

const aVersion = mustHave(aWholeNumber, 'How many changes its log has')

const aPreview: Shape<SessionPreview> = anObject('SessionPreview', {
  title: mustHave(either([aText, aNull]), 'The title of the conversation, if it was imported with one; null if not'),
  speaker: mustHave(
    either([aText, aNull]),
    'The name or the role of whoever spoke last; null if nothing is in the window',
  ),
  text: mustHave(aText, 'The first 200 characters of the last message'),
  context: mustHave(
    either([
      anObject<PreviewedContext>('PreviewedContext', {
        tokens: mustHave(aWholeNumber, 'How large it was'),
        budget: mustHave(aWholeNumber, 'The budget that it was built for'),
        cached: mustHave(aWholeNumber, 'How many of its leading tokens equalled the context before'),
      }),
      aNull,
    ]),
    'The last context that was recorded; null if there is none',
  ),
})

const aSummary: Shape<SessionSummary> = anObject('SessionSummary', {
  id: mustHave(aText, 'Its id'),
  description: mustHave(either([aText, aNull]), 'The system message that it started with; null if there was none'),
  messages: mustHave(aWholeNumber, 'How many messages were ever appended, with those that a fork inherited'),
  version: aVersion,
  createdAt: mustHave(anIsoTime, 'When it was created'),
  updatedAt: mustHave(anIsoTime, 'When it last changed'),
  forkOf: mustHave(
    either([
      anObject<ForkOrigin>('ForkOrigin', {
        id: mustHave(aText, 'The id of that session'),
        at: mustHave(aWholeNumber, 'The last message of it that the fork shares'),
      }),
      aNull,
    ]),
    'The session that it was forked from; null if it is not a fork',
  ),
  preview: mayHave(aPreview, 'Its title, who spoke last and how large its last context was, if that was asked for'),
})

const aPage: Shape<SessionsPage> = anObject('SessionsPage', {
  sessions: mustHave(aListOf(aSummary), 'The sessions'),
  next: mustHave(either([aText, aNull]), 'The `after` of the next page; null on the last'),
})

const byRole = Object.fromEntries(roles.map((role) => [role, mustHave(aWholeNumber, `Those of the role ${role}`)]))

const figures: Shape<SessionStats> = anObject('SessionStats', {
  messages: mustHave(aWholeNumber, 'How many messages were ever appended, except those that were forgotten'),
  live: mustHave(aWholeNumber, 'How many of them are in the window: neither removed nor cleared'),
  tokens: mustHave(aWholeNumber, 'What the live messages cost'),
  byRole: mustHave(
    anObject<Readonly<Record<Role, number>>>(undefined, byRole as FieldsOf<Readonly<Record<Role, number>>>),
    'How many messages are live, by role',
  ),
  toolCalls: mustHave(aWholeNumber, 'How many tools the live messages call'),
  revisions: mustHave(aWholeNumber, 'How many revisions were made'),
  version: aVersion,
  firstAt: mustHave(either([anIsoTime, aNull]), 'When the first message was said; null if there is none'),
  lastAt: mustHave(either([anIsoTime, aNull]), 'When the last message was said; null if there is none'),
})

const clearOptions: Shape<ClearOptions> = anObject('ClearOptions', {
  keepSystem: mayHave(aFlag, 'Leave system messages in the window', 'true'),
})

const forkOptions: Shape<ForkOptions> = anObject('ForkOptions', {
  at: mayHave(
    either([aPosition, aMoment], { wanted: 'a sequence number, a Date, an ISO 8601 string or { version }' }),
    'The last message that both share, as a sequence number or a moment',
    'the last message',
  ),
})

const someTokens: Shape<number> = aWholeNumberFrom(0, 'a number of tokens')

const reportedUsage: Shape<ReportedUsage> = anObject('ReportedUsage', {
  model: mustHave(anId, 'The model that was called'),
  inputTokens: mustHave(someTokens, 'Input tokens as the provider counted them, with cached ones'),
  outputTokens: mayHave(someTokens, 'Output tokens, for the totals of the session', '0'),
  estimatedTokens: mayHave(
    someTokens,
    'What Daybook counted for the same request, without corrections',
    'the count of the last context of this session for this model, built by this process',
  ),
})

type Name = 'list' | 'count' | 'stats' | 'describe' | 'clear' | 'fork' | 'usage' | 'document'

export const sessionOperations: Readonly<Record<Name, Operation>> = noun('sessions', {
  list: {
    help: 'List the sessions of a scope, newest first',
    attempt: 'list sessions',
    call: 'sessions',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/sessions`,
    options: sessionsOptions,
    answer: aPage,
    writes: false,
  },
  count: {
    help: 'Count the messages that are live',
    attempt: 'count',
    call: 'count',
    can: 'read',
    method: 'get',
    path: `${SESSION}/count`,
    options: asOfOptions,
    answer: anObject<{ readonly count: number }>(undefined, {
      count: mustHave(aWholeNumber, 'How many messages are live'),
    }),
    as: 'count',
    writes: false,
  },
  stats: {
    help: 'Count what a session has: messages by role, tokens, tool calls, revisions',
    attempt: 'read the stats',
    call: 'stats',
    can: 'read',
    method: 'get',
    path: `${SESSION}/stats`,
    options: asOfOptions,
    answer: figures,
    writes: false,
  },
  describe: {
    help: 'Give a session another description: the system message that it started with is revised',
    attempt: 'describe a session',
    call: 'describe',
    can: 'instruct',
    method: 'put',
    path: `${SESSION}/description`,
    takes: { text: mustHave(someText, 'The new description') },
    answer: aMessage,
    writes: true,
    repeat: 'harmless',
  },
  clear: {
    help: 'Take everything so far out of the window. The log keeps it',
    attempt: 'clear',
    call: 'clear',
    can: 'write',
    method: 'post',
    path: `${SESSION}/clear`,
    options: clearOptions,
    answer: anObject<Cleared>('Cleared', {
      through: mustHave(aWholeNumber, 'The last message that was taken out; 0 if there was none'),
    }),
    writes: true,
    repeat: 'by-version',
  },
  fork: {
    help: 'Start a session that shares the history of this one up to a point. Nothing is copied',
    attempt: 'fork',
    call: 'fork',
    can: 'write',
    method: 'post',
    path: `${SESSION}/fork`,
    takes: { newId: mustHave(anId, 'The id of the new session') },
    options: forkOptions,
    answer: anObject<{ readonly session: string }>(undefined, {
      session: mustHave(aText, 'The id of the new session'),
    }),
    creates: true,
    writes: true,
  },
  usage: {
    help: 'Report what a provider counted for a request, so that later estimates for that model are closer',
    attempt: 'report usage',
    call: 'usage',
    can: 'write',
    method: 'post',
    path: `${SESSION}/usage`,
    options: reportedUsage,
    answer: anObject<object>(undefined, {}),
    writes: true,
    repeat: 'harmless',
  },
  document: {
    help: 'Read the session as one document: history, summary, facts, tasks, notes, tools, tokens',
    attempt: 'read the document',
    call: 'document',
    can: 'read',
    method: 'get',
    path: `${SESSION}/document`,
    options: documentOptions,
    answer: aDocument,
    writes: false,
  },
})
