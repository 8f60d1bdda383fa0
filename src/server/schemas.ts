import { z } from '@hono/zod-openapi'

/** The nouns as the OpenAPI document shows them. Loose where the library is the judge: one rule stands in one place. */
const json: z.ZodType = z.any().openapi({ description: 'Any JSON value' })

const part: z.ZodType = z
  .looseObject({ type: z.string() })
  .openapi('Part', { description: 'text, reasoning, image, file, audio, tool-call, tool-result, agent-call or data' })

export const newMessage: z.ZodType = z
  .looseObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: json.optional(),
    parts: z.array(part).optional(),
    id: z.string().optional(),
    name: z.string().optional(),
    tags: z.array(z.string()).optional(),
    metadata: z.looseObject({}).optional(),
  })
  .openapi('NewMessage')

export const message: z.ZodType = z
  .looseObject({
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
  .openapi('Message')

export const fact: z.ZodType = z
  .looseObject({ id: z.string(), subject: z.string(), predicate: z.string(), object: json, trust: z.int() })
  .openapi('Fact')

export const proposal: z.ZodType = z.looseObject({ id: z.string(), status: z.string() }).openapi('Proposal')

export const entity: z.ZodType = z.looseObject({ name: z.string() }).openapi('Entity')

export const job: z.ZodType = z
  .looseObject({ id: z.string(), kind: z.string(), scope: z.string(), state: z.string(), attempts: z.int() })
  .openapi('Job')

export const key: z.ZodType = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    scope: z.string().nullable(),
    can: z.array(z.enum(['read', 'write', 'propose', 'admin'])),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .openapi('Key')

export const problem: z.ZodType = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    details: z.looseObject({}),
  })
  .openapi('Problem')

const moment: z.ZodType = z
  .union([z.string(), z.object({ version: z.int() })])
  .openapi({ description: 'An ISO 8601 time, or {"version": n} as JSON' })

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
