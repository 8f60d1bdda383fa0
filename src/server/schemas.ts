import { z } from 'zod'

/** The nouns as the OpenAPI document shows them. Loose where the library is the judge: one rule stands in one place. */
const json: z.ZodType = z.any().meta({ description: 'Any JSON value' })

const part: z.ZodType = z.looseObject({ type: z.string() })

export const newMessage: z.ZodType = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: json.optional(),
  parts: z.array(part).optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.looseObject({}).optional(),
})

export const message: z.ZodType = z.looseObject({
  id: z.string(),
  seq: z.int(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  parts: z.array(part),
  at: z.iso.datetime(),
  tokens: z.int(),
  tokenizer: z.string(),
  revision: z.int(),
  removed: z.literal(true).optional(),
})

export const proposal: z.ZodType = z.looseObject({ id: z.string(), status: z.string() })

export const entity: z.ZodType = z.looseObject({ name: z.string() })

export const job: z.ZodType = z.looseObject({
  id: z.string(),
  kind: z.string(),
  scope: z.string(),
  state: z.string(),
  attempts: z.int(),
})

export const key: z.ZodType = z.looseObject({
  id: z.string(),
  name: z.string(),
  scope: z.string().nullable(),
  can: z.array(z.enum(['read', 'write', 'propose', 'instruct', 'admin'])),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
})

const moment: z.ZodType = z
  .union([z.string(), z.object({ version: z.int() })])
  .meta({ description: 'An ISO 8601 time, or {"version": n} as JSON' })

export const asOf: z.ZodObject = z.object({ asOf: moment.optional() })

export const historyQuery: z.ZodObject = z.object({
  limit: z.int().min(1).optional(),
  before: z.int().min(0).optional(),
  after: z.int().min(0).optional(),
  role: z.string().optional(),
  tag: z.string().optional(),
  where: z.looseObject({}).optional(),
  text: z.string().optional(),
  asOf: moment.optional(),
  stale: z.boolean().optional(),
})

export const pageQuery: z.ZodObject = z.object({ limit: z.int().min(1).optional(), after: z.string().optional() })

export const object: z.ZodType = z.looseObject({})

/** A list, and where it goes on. */
export function page(name: string, item: z.ZodType): z.ZodType {
  return z.object({ [name]: z.array(item), next: z.string().nullable() })
}

export function listOf(name: string, item: z.ZodType): z.ZodObject {
  return z.object({ [name]: z.array(item) })
}
