import { z } from 'zod'
import { queryOf, sessionOf } from '../arguments.ts'
import type { Route } from '../route.ts'
import * as schema from '../schemas.ts'

export const stateRoutes: readonly Route[] = [
  {
    operation: 'sessions.document',
    summary: 'The session as one document that people can read',
    query: z.object({ recent: z.int().min(1).optional(), asOf: z.string().optional() }),
    answer: schema.object,
    handle: (call) => sessionOf(call).document(queryOf(call)),
  },
]
