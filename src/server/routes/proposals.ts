import { z } from 'zod'
import type { ProposalsOptions } from '../../knowledge/proposals.ts'
import type { Suggestion } from '../../knowledge/proposed.ts'
import { readCursor, writeCursor } from '../../wire/cursor.ts'
import { fieldsOf, optionsOf, queryOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'

export const proposalRoutes: readonly Route[] = [
  {
    operation: 'proposals.list',
    summary: 'What was proposed, oldest first',
    query: schema.pageQuery.extend({ status: z.string().optional() }),
    answer: schema.page('proposals', schema.proposal),
    handle: list,
  },
  {
    operation: 'proposals.propose',
    summary: 'Shows what a change would do; nothing is changed',
    body: z.object({ suggestion: z.any(), reason: z.string().optional() }),
    answer: schema.proposal,
    handle: (call) => {
      const { suggestion, reason } = fieldsOf(call, 'propose', ['suggestion', 'reason'])
      return call.scope.propose(suggestion as Suggestion, reason as string | undefined)
    },
  },
  {
    operation: 'proposals.consolidate',
    summary: 'Looks for duplicates, two names of one thing and stale facts, and proposes what to do',
    body: z.object({ staleAfterDays: z.int().optional(), limit: z.int().optional() }),
    answer: schema.listOf('proposals', schema.proposal),
    handle: async (call) => ({ proposals: await call.scope.consolidate(optionsOf(call)) }),
  },
  {
    operation: 'proposals.apply',
    summary: 'Makes a proposal true',
    answer: schema.proposal,
    handle: (call) => call.scope.apply(call.names['proposal'] ?? ''),
  },
  {
    operation: 'proposals.revert',
    summary: 'Takes an applied proposal back',
    answer: schema.proposal,
    handle: (call) => call.scope.revert(call.names['proposal'] ?? ''),
  },
]

async function list(call: Call): Promise<unknown> {
  const { after, ...options } = queryOf<ProposalsOptions>(call)
  const scope = call.scope.name
  const place = after === undefined ? {} : { after: readCursor('proposals', scope, after) }
  const found = await call.scope.proposals({ ...options, ...place })
  const last = found.at(-1)
  const more = last !== undefined && found.length >= (options.limit ?? 100)
  return { proposals: found, next: more ? writeCursor('proposals', scope, last.id) : null }
}
