import { z } from 'zod'
import { MemoryError } from '../../domain/error.ts'
import type { Draft, Role } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { quote, refuse } from '../../domain/refuse.ts'
import type { AppendOptions, Appended } from '../../log/append.ts'
import type { Revision } from '../../log/revise.ts'
import type { SessionOptions } from '../../memory/session.ts'
import { fieldsOf, onlyQuery, optionsOf, present, queryOf, sessionOf } from '../arguments.ts'
import { appendLines } from '../append-lines.ts'
import { exportLines } from '../export-lines.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'
import { watchEvents } from '../watch-events.ts'

const messages: z.ZodType = schema.listOf('messages', schema.message)
const appended: z.ZodType = z.object({ messages: z.array(schema.message), warnings: z.array(schema.object) })

export const messageRoutes: readonly Route[] = [
  {
    operation: 'messages.append',
    summary: 'Appends messages, all or none; durable when it answers',
    body: z.object({
      messages: z.union([schema.newMessage, z.array(schema.newMessage)]),
      after: z.int().optional(),
      strict: z.boolean().optional(),
      operationId: z.string().optional(),
      description: z.string().optional(),
    }),
    answer: appended,
    handle: append,
  },
  {
    operation: 'messages.bulk',
    summary:
      'Appends one message a line, as they arrive; with an Idempotency-Key a retry goes on where the first try ended',
    streams: 'in',
    patient: true,
    answer: z.object({ appended: z.int(), lastSeq: z.int().nullable(), warnings: z.int() }),
    handle: appendLines,
  },
  {
    operation: 'messages.export',
    summary: 'Everything ever appended, one message a line',
    query: schema.historyQuery,
    streams: 'out',
    handle: exportLines,
  },
  {
    operation: 'messages.history',
    summary: 'Everything ever appended, oldest first',
    query: schema.historyQuery,
    answer: messages,
    handle: async (call) => ({ messages: await sessionOf(call).history(queryOf(call)) }),
  },
  {
    operation: 'messages.get',
    summary: 'One message, removed or not',
    query: schema.asOf,
    answer: schema.message,
    handle: async (call) => {
      const id = call.names['message'] ?? ''
      const found = await sessionOf(call).get(id, queryOf(call))
      if (found === undefined)
        throw new MemoryError(
          'log/not-found',
          `Cannot get message ${quote(id)}: found none of that id in this session`,
          { id },
        )
      return found
    },
  },
  {
    operation: 'messages.revise',
    summary: 'Gives a message new content; the earlier revision stays readable',
    body: schema.object,
    answer: schema.message,
    handle: (call) => sessionOf(call).revise(call.names['message'] ?? '', optionsOf<Revision>(call)),
  },
  {
    operation: 'messages.remove',
    summary: 'Takes a message out of the window; the log keeps it',
    answer: z.object({ removed: z.boolean() }),
    handle: async (call) => ({ removed: await sessionOf(call).remove(call.names['message'] ?? '') }),
  },
  {
    operation: 'messages.recent',
    summary: 'The newest live messages, oldest first',
    query: schema.asOf.extend({ n: z.int().min(1) }),
    answer: messages,
    handle: async (call) => {
      const { n, ...asOf } = onlyQuery(call, 'read recent messages', ['n', 'asOf'])
      return { messages: await sessionOf(call).recent(n as number, asOf) }
    },
  },
  {
    operation: 'messages.byRole',
    summary: 'The live messages of one role, oldest first',
    query: schema.asOf.extend({ role: z.string(), n: z.int().min(1).optional() }),
    answer: messages,
    handle: async (call) => {
      const { role, n, ...asOf } = onlyQuery(call, 'read by role', ['role', 'n', 'asOf'])
      return { messages: await sessionOf(call).byRole(role as Role, n as number | undefined, asOf) }
    },
  },
  {
    operation: 'messages.search',
    summary: 'The live messages with a text, whatever its case',
    query: schema.asOf.extend({
      text: z.string(),
      limit: z.int().min(1).optional(),
      stale: z.boolean().optional(),
    }),
    answer: messages,
    handle: async (call) => {
      const { text, ...options } = onlyQuery(call, 'search', ['text', 'limit', 'asOf', 'stale'])
      return { messages: await sessionOf(call).search(text as string, options) }
    },
  },
  {
    operation: 'messages.watch',
    summary: 'Every message from here on, as server-sent events; Last-Event-ID goes on after one',
    query: z.object({ after: z.int().min(0).optional() }),
    streams: 'out',
    handle: watchEvents,
  },
  {
    operation: 'messages.blobs',
    summary: 'The bytes of images and files that messages point to, in base64 by hash',
    body: schema.listOf('messages', schema.object),
    answer: z.object({ blobs: z.record(z.string(), z.string()) }),
    handle: async (call) => {
      const { messages: drafts } = fieldsOf(call, 'read blobs', ['messages'])
      return { blobs: inBase64(await sessionOf(call).blobs(drafts as readonly Draft[])) }
    },
  },
]

/** The `Idempotency-Key` is the log's own `operationId`: the log itself does it once, whatever ends this process. */
async function append(call: Call): Promise<unknown> {
  const fields = fieldsOf(call, 'append', ['messages', 'after', 'strict', 'operationId', 'description'])
  const { messages: list, description, operationId = call.idempotencyKey, ...options } = fields
  if (list === undefined) refuse('append', 'messages', list, 'a message or a list of messages')
  const session = sessionOf(call, present({ description }) as SessionOptions)
  const stored = await session.append(
    list as readonly NewMessage[],
    present({ ...options, operationId }) as AppendOptions,
  )
  return { messages: [...stored], warnings: (stored as Appended).warnings }
}

export function inBase64(blobs: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, string>> {
  return Object.fromEntries([...blobs].map(([hash, bytes]) => [hash, Buffer.from(bytes).toString('base64')]))
}
