import { z } from 'zod'

/** Schemas of the operations that `surface/` does not describe yet. */
const moment: z.ZodType = z
  .union([z.string(), z.object({ version: z.int() })])
  .meta({ description: 'An ISO 8601 time, or {"version": n} as JSON' })

export const asOf: z.ZodObject = z.object({ asOf: moment.optional() })

export const pageQuery: z.ZodObject = z.object({ limit: z.int().min(1).optional(), after: z.string().optional() })

export const object: z.ZodType = z.looseObject({})

/** A list, and where it goes on. */
export function page(name: string, item: z.ZodType): z.ZodType {
  return z.object({ [name]: z.array(item), next: z.string().nullable() })
}

export function listOf(name: string, item: z.ZodType): z.ZodObject {
  return z.object({ [name]: z.array(item) })
}
