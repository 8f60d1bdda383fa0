import { z } from 'zod'
import type { NewKeyOptions } from '../../memory/keys.ts'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import type { Sample } from '../../forgetting/verify.ts'
import { fieldsOf, optionsOf, queryOf } from '../arguments.ts'
import type { Route } from '../route.ts'
import * as schema from '../schemas.ts'

const jobs: z.ZodType = schema.listOf('jobs', schema.job)
const jobQuery: z.ZodObject = schema.pageQuery.extend({ kind: z.string().optional(), state: z.string().optional() })

/** Of the whole memory: background work, checks, keys, the audit trail. */
export const memoryRoutes: readonly Route[] = [
  {
    operation: 'jobs.inScope',
    summary: 'Background work of a scope, newest first',
    query: jobQuery,
    answer: jobs,
    handle: async (call) => ({ jobs: await call.memory.jobs.list({ ...queryOf(call), scope: call.scope.name }) }),
  },
  {
    operation: 'jobs.list',
    summary: 'Background work, newest first',
    query: jobQuery.extend({ scope: z.string().optional() }),
    answer: jobs,
    handle: async (call) => ({ jobs: await call.memory.jobs.list(queryOf(call)) }),
  },
  {
    operation: 'jobs.retry',
    summary: 'Makes a job due now',
    answer: schema.job,
    handle: (call) => call.memory.jobs.retry(call.names['job'] ?? ''),
  },
  {
    operation: 'jobs.cancel',
    summary: 'Ends a job that is not done',
    answer: schema.job,
    handle: (call) => call.memory.jobs.cancel(call.names['job'] ?? ''),
  },
  {
    operation: 'memory.settled',
    summary: 'Waits until no background work is due',
    answer: z.object({ waiting: z.int(), failed: z.int() }),
    patient: true,
    handle: (call) => call.memory.settled(),
  },
  {
    operation: 'memory.verify',
    summary: 'Reads everything and names what is not what was written',
    answer: z.looseObject({ ok: z.boolean() }),
    patient: true,
    handle: (call) => call.memory.verify(),
  },
  {
    operation: 'memory.verifyForgotten',
    summary: 'Looks for samples of what was forgotten in every table and every byte of the files',
    body: z.object({ receipt: z.any(), samples: z.array(z.any()) }),
    answer: z.looseObject({ ok: z.boolean() }),
    patient: true,
    handle: (call) => {
      const { receipt, samples } = fieldsOf(call, 'verify what was forgotten', ['receipt', 'samples'])
      return call.memory.verifyForgotten(receipt as ForgetReceipt, samples as readonly Sample[])
    },
  },
  {
    operation: 'memory.rebuild',
    summary: 'Throws away what is derived from the log for recall; it is posted again',
    answer: z.object({}),
    patient: true,
    handle: async (call) => {
      await call.memory.rebuild()
      return {}
    },
  },
  {
    operation: 'memory.schema',
    summary: 'The version of the schema, and when each step to it was taken',
    answer: z.looseObject({ version: z.int() }),
    handle: (call) => call.memory.schema(),
  },
  {
    operation: 'memory.stats',
    summary: 'How much there is in all scopes together, and what keeps it',
    answer: z.looseObject({ store: z.string(), sessions: z.int(), messages: z.int(), facts: z.int(), bytes: z.int() }),
    handle: (call) => call.memory.stats(),
  },
  {
    operation: 'keys.list',
    summary: 'Keys, oldest first; never their tokens',
    answer: schema.listOf('keys', schema.key),
    handle: async (call) => ({ keys: await call.memory.keys.list() }),
  },
  {
    operation: 'keys.create',
    summary: 'Makes a key; its token is in this answer and nowhere else',
    body: z.looseObject({ scope: z.string().nullable(), can: z.array(z.string()) }),
    answer: z.looseObject({ id: z.string(), token: z.string() }),
    handle: (call) => call.memory.keys.create(optionsOf<NewKeyOptions>(call)),
  },
  {
    operation: 'keys.revoke',
    summary: 'Ends a key now',
    answer: schema.key,
    handle: (call) => call.memory.keys.revoke(call.names['key'] ?? ''),
  },
  {
    operation: 'audit.read',
    summary: 'What was done through the server, newest first',
    query: z.object({ limit: z.int().optional(), before: z.int().optional() }),
    answer: schema.listOf('entries', schema.object),
    handle: async (call) => ({ entries: await call.memory.audit(queryOf(call)) }),
  },
]
