import { z } from 'zod'

/** Schemas of the operations that `surface/` does not describe yet. */
export const object: z.ZodType = z.looseObject({})
