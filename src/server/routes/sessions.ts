import { z } from 'zod'
import type { ForkOptions } from '../../log/fork.ts'
import type { ReportedUsage } from '../../context/report-usage.ts'
import { fieldsOf, optionsOf, queryOf, sessionOf } from '../arguments.ts'
import type { Route } from '../route.ts'
import * as schema from '../schemas.ts'

export const sessionRoutes: readonly Route[] = [
  {
    operation: 'sessions.list',
    summary: 'A page of sessions, newest first',
    query: schema.pageQuery.extend({ text: z.string().optional() }),
    answer: schema.page('sessions', schema.object),
    handle: (call) => call.scope.sessions(queryOf(call)),
  },
  {
    operation: 'sessions.count',
    summary: 'How many messages are live',
    query: schema.asOf,
    answer: z.object({ count: z.int() }),
    handle: async (call) => ({ count: await sessionOf(call).count(queryOf(call)) }),
  },
  {
    operation: 'sessions.stats',
    summary: 'Counts and tokens of a session',
    query: schema.asOf,
    answer: schema.object,
    handle: (call) => sessionOf(call).stats(queryOf(call)),
  },
  {
    operation: 'sessions.clear',
    summary: 'Takes everything so far out of the window; the log keeps it',
    body: z.object({ keepSystem: z.boolean().optional() }),
    answer: z.object({ through: z.int() }),
    handle: (call) => sessionOf(call).clear(optionsOf(call)),
  },
  {
    operation: 'sessions.fork',
    summary: 'A new session that shares the history up to a point',
    body: z.object({ newId: z.string(), at: z.any().optional() }),
    answer: z.object({ session: z.string() }),
    handle: async (call) => {
      const { newId, ...options } = fieldsOf(call, 'fork', ['newId', 'at'])
      const { id } = await sessionOf(call).fork(newId as string, options as ForkOptions)
      return { session: id }
    },
  },
  {
    operation: 'sessions.usage',
    summary: 'Tells what a provider counted, so that estimates follow it',
    body: z.object({
      model: z.string(),
      inputTokens: z.number(),
      outputTokens: z.number().optional(),
      estimatedTokens: z.number().optional(),
    }),
    answer: z.object({}),
    handle: async (call) => {
      await sessionOf(call).usage(optionsOf<ReportedUsage>(call))
      return {}
    },
  },
]
