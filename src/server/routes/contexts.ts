import { z } from 'zod'
import { allows } from '../../domain/key.ts'
import { refuse } from '../../domain/refuse.ts'
import type { ContextOptions } from '../../context/build-context.ts'
import { fieldsOf, optionsOf, queryOf, sessionOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'
import { inBase64 } from './messages.ts'

/** What a key that may only read gets: the window as it is, cut to the budget, with no compaction written. */
const NO_COMPACTION: NonNullable<ContextOptions['policy']> = {
  name: 'read-only',
  high: {},
  low: {},
  steps: [],
  advance: 'until-low',
}

export const contextRoutes: readonly Route[] = [
  {
    operation: 'contexts.build',
    summary: 'The messages for one call of a model, within a budget; in a dialect too, if one is named',
    body: z.looseObject({ budget: z.int(), model: z.string().optional(), dialect: z.string().optional() }),
    answer: z.looseObject({
      messages: z.array(schema.object),
      tokens: z.int(),
      receipt: schema.object,
      cache: schema.object,
    }),
    handle: build,
  },
  {
    operation: 'contexts.window',
    summary: 'What is live: folds, then messages',
    query: schema.asOf,
    answer: schema.listOf('window', schema.object),
    handle: async (call) => ({ window: await sessionOf(call).window(queryOf(call)) }),
  },
  {
    operation: 'contexts.compact',
    summary: 'Makes the window smaller; the log is not touched',
    body: schema.object,
    answer: schema.object,
    handle: (call) => sessionOf(call).compact(optionsOf(call)),
  },
  {
    operation: 'contexts.undo',
    summary: 'Takes back the last compaction, or a named one and all after it',
    body: z.object({ compaction: z.int().optional() }),
    answer: z.object({ undone: z.array(z.int()) }),
    handle: async (call) => {
      const { compaction } = fieldsOf(call, 'undo', ['compaction'])
      return { undone: await sessionOf(call).undo(compaction as number | undefined) }
    },
  },
  {
    operation: 'contexts.reopen',
    summary: 'The original messages behind a fold, by page of characters',
    query: z.object({ offset: z.int().optional(), limit: z.int().optional() }),
    answer: schema.object,
    handle: (call) => sessionOf(call).reopen(call.names['fold'] ?? '', queryOf(call)),
  },
]

async function build(call: Call): Promise<unknown> {
  const {
    dialect,
    cacheMarks,
    blobs = false,
    ...options
  } = optionsOf<ContextOptions & { dialect?: 'openai'; cacheMarks?: boolean; blobs?: boolean }>(call)
  if (typeof blobs !== 'boolean') refuse('build a context', 'blobs', blobs, 'true or false')
  if (cacheMarks !== undefined && typeof cacheMarks !== 'boolean')
    refuse('build a context', 'cacheMarks', cacheMarks, 'true or false')
  const policy = allows(call.key.can, 'write') ? {} : { policy: NO_COMPACTION, shrink: false }
  const session = sessionOf(call)
  const context = await session.context({ ...options, ...policy })
  const { messages, tokens, receipt, cache, recalled } = context
  return {
    messages,
    tokens,
    receipt,
    cache,
    recalled,
    ...(dialect === undefined
      ? {}
      : { [dialect]: context.as(dialect, cacheMarks === undefined ? {} : { cacheMarks }) }),
    ...(blobs ? { blobs: inBase64(await session.blobs(messages)) } : {}),
  }
}
