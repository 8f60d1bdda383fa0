import { z } from 'zod'
import type { ImportBatch } from '../../archive/import-file.ts'
import { fieldsOf, present } from '../arguments.ts'
import type { Route } from '../route.ts'
import * as schema from '../schemas.ts'

const counts: z.ZodType = z.object({ new: z.int(), present: z.int() })

export const importRoutes: readonly Route[] = [
  {
    operation: 'imports.batch',
    summary: 'Stores conversations and facts from elsewhere, which nobody here vouches for: they are quarantined',
    body: z.object({ batch: schema.object, dryRun: z.boolean().optional() }),
    answer: z.object({
      messages: counts,
      changed: z.array(z.string()),
      forgotten: z.array(z.string()).optional(),
      facts: counts,
      refused: z.boolean().optional(),
    }),
    handle: (call) => {
      const { batch, dryRun } = fieldsOf(call, 'import a batch', ['batch', 'dryRun'])
      return call.scope.importBatch(batch as ImportBatch, present({ dryRun: dryRun as boolean }))
    },
  },
]
