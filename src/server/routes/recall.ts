import { z } from '@hono/zod-openapi'
import type { RecallOptions } from '../../recall/recall.ts'
import { optionsOf } from '../arguments.ts'
import type { Route } from '../route.ts'
import * as schema from '../schemas.ts'

export const recallRoutes: readonly Route[] = [
  {
    operation: 'recall.ask',
    summary: 'Finds messages, folds and facts for a question, with reasons',
    body: z.looseObject({ query: z.string(), limit: z.int().optional(), budget: z.int().optional() }),
    answer: z.looseObject({ items: z.array(schema.object) }),
    handle: (call) => {
      const { query, ...options } = optionsOf<RecallOptions & { query: string }>(call)
      return call.scope.recall(query, options)
    },
  },
]
