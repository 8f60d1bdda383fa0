import { z } from 'zod'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import type { Sample } from '../../forgetting/verify.ts'
import { fieldsOf } from '../arguments.ts'
import type { Route } from '../route.ts'

/** Operations of the whole memory. */
export const memoryRoutes: readonly Route[] = [
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
]
