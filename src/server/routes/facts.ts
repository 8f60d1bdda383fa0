import { z } from '@hono/zod-openapi'
import { MemoryError } from '../../domain/error.ts'
import type { NewFact, SourceInput } from '../../domain/new-fact.ts'
import { quote } from '../../domain/refuse.ts'
import type { RetractOptions } from '../../knowledge/retract.ts'
import type { RetentionPolicy } from '../../domain/retention.ts'
import type { ForgetOptions, ForgetTarget } from '../../forgetting/forget.ts'
import type { RememberOptions } from '../../memory/scope.ts'
import type { FactsOptions } from '../../knowledge/facts.ts'
import { readCursor, writeCursor } from '../../wire/cursor.ts'
import { channelOf, fieldsOf, optionsOf, present, queryOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'

const facts: z.ZodType = schema.listOf('facts', schema.fact)
const change: z.ZodType = z.object({
  reason: z.string().optional(),
  channel: z.string().optional(),
  expect: z.int().optional(),
})

export const factRoutes: readonly Route[] = [
  {
    operation: 'facts.list',
    summary: 'Facts of the scope and its ancestors, oldest first',
    query: schema.pageQuery.extend({
      subject: z.string().optional(),
      predicate: z.string().optional(),
      object: z.any().optional(),
      tag: z.string().optional(),
      includeClosed: z.boolean().optional(),
      state: z.any().optional(),
      asOf: z.any().optional(),
      at: z.string().optional(),
      stale: z.boolean().optional(),
    }),
    answer: schema.page('facts', schema.fact),
    handle: list,
  },
  {
    operation: 'facts.remember',
    summary:
      'Stores facts, all or none. With a key that may only propose they are quarantined until somebody endorses them',
    body: z.object({ facts: z.any(), channel: z.string().optional() }),
    answer: facts,
    handle: async (call) => {
      const { facts: given, channel } = fieldsOf(call, 'remember', ['facts', 'channel'])
      const options = present({ channel: channelOf(call, channel) }) as RememberOptions
      return { facts: await call.scope.remember(given as readonly NewFact[], options) }
    },
  },
  {
    operation: 'facts.get',
    summary: 'One fact, whatever its state',
    query: z.object({ asOf: z.any().optional(), at: z.string().optional() }),
    answer: schema.fact,
    handle: async (call) => {
      const id = call.names['fact'] ?? ''
      const found = await call.scope.fact(id, queryOf(call))
      if (found === undefined)
        throw new MemoryError('knowledge/not-found', `Cannot get fact ${quote(id)}: found none of that id here`, { id })
      return found
    },
  },
  {
    operation: 'facts.history',
    summary: 'The versions of a fact, oldest first',
    query: z.object({ limit: z.int().optional() }),
    answer: schema.listOf('versions', schema.object),
    handle: async (call) => ({ versions: await call.scope.factHistory(call.names['fact'] ?? '', queryOf(call)) }),
  },
  {
    operation: 'facts.version',
    summary: 'The version of what is known here',
    answer: z.object({ version: z.int() }),
    handle: async (call) => ({ version: await call.scope.knowledgeVersion() }),
  },
  {
    operation: 'facts.retract',
    summary: 'Takes a fact back; it stays readable',
    body: change,
    answer: schema.fact,
    handle: (call) => {
      const { reason, channel, expect } = fieldsOf(call, 'retract a fact', ['reason', 'channel', 'expect'])
      const options = present({ channel: channelOf(call, channel), expect }) as RetractOptions
      return call.scope.retract(call.names['fact'] ?? '', reason as string | undefined, options)
    },
  },
  {
    operation: 'facts.restore',
    summary: 'Brings a retracted fact back',
    body: z.object({ expect: z.int().optional() }),
    answer: schema.fact,
    handle: (call) => call.scope.restore(call.names['fact'] ?? '', optionsOf(call)),
  },
  {
    operation: 'facts.endorse',
    summary: 'Stands for a fact: raises its trust',
    body: change,
    answer: schema.fact,
    handle: (call) => call.scope.endorse(call.names['fact'] ?? '', optionsOf(call)),
  },
  {
    operation: 'facts.rollBack',
    summary: 'Takes back everything that a message or a fact taught',
    body: z.object({ source: z.any() }),
    answer: schema.object,
    handle: (call) => call.scope.rollBack(fieldsOf(call, 'roll back', ['source'])['source'] as SourceInput),
  },
  {
    operation: 'facts.forget',
    summary: 'Destroys a message, a session, a fact or an entity, for ever and everywhere; answers with a receipt',
    body: z.object({
      message: z.string().optional(),
      session: z.string().optional(),
      fact: z.string().optional(),
      subject: z.string().optional(),
      reason: z.string().optional(),
      forks: z.boolean().optional(),
      messages: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    answer: schema.object,
    handle: (call) => {
      const { reason, forks, messages, dryRun, ...what } = optionsOf<ForgetTarget & ForgetOptions>(call)
      return call.scope.forget(what, present({ reason, forks, messages, dryRun }) as ForgetOptions)
    },
  },
  {
    operation: 'retention.get',
    summary: 'How long messages are kept here, and which scope says so',
    answer: z.object({ retention: schema.object.nullable() }),
    handle: async (call) => ({ retention: (await call.scope.retention.get()) ?? null }),
  },
  {
    operation: 'retention.set',
    summary: 'Sets how long messages are kept here and deeper; with dryRun, only says what would be forgotten',
    body: z.object({ policy: z.any(), dryRun: z.boolean().optional() }),
    answer: schema.object,
    handle: (call) => {
      const { policy, dryRun } = fieldsOf(call, 'set a retention', ['policy', 'dryRun'])
      return call.scope.retention.set(policy as RetentionPolicy, present({ dryRun }) as { dryRun?: boolean })
    },
  },
]

async function list(call: Call): Promise<unknown> {
  const { after, ...options } = queryOf<FactsOptions>(call)
  const scope = call.scope.name
  const place = after === undefined ? {} : { after: readCursor('facts', scope, after) }
  const found = await call.scope.facts({ ...options, ...place })
  const last = found.at(-1)
  const more = last !== undefined && found.length >= (options.limit ?? 100)
  return { facts: found, next: more ? writeCursor('facts', scope, last.id) : null }
}
