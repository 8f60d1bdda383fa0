import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { isWrite, operations } from '../wire/operations.ts'
import { PROBLEM_TYPE } from '../wire/problem.ts'
import { CREATED } from './route.ts'
import type { Route } from './route.ts'
import { routes } from './routes/index.ts'
import { problem } from './schemas.ts'

const MEDIA: Readonly<Record<string, string>> = {
  'messages.watch': 'text/event-stream',
  'messages.export': 'application/x-ndjson',
  'archive.export': 'application/x-ndjson',
  'memory.export': 'application/x-ndjson',
}

/** Describes every route from what it was made of, at `/openapi.json`. */
export function describeApi(app: OpenAPIHono): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' })
  for (const route of routes) app.openAPIRegistry.registerPath(pathOf(route))
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Daybook', version: '1', description: 'The memory of your agents' },
    security: [{ key: [] }],
  })
}

function pathOf({
  operation: name,
  summary,
  query,
  body,
  answer,
  streams,
}: Route): Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0] {
  const operation = operations[name]
  const { method, path, can } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  const media = MEDIA[name] ?? 'application/json'
  const headers = isWrite(operation) ? { headers: z.object({ 'idempotency-key': z.string().max(512).optional() }) } : {}
  return {
    method,
    path,
    summary,
    operationId: name,
    description: `Needs a key that may ${can}.`,
    tags: [name.split('.')[0] ?? ''],
    request: {
      ...(names.length === 0
        ? {}
        : { params: z.object(Object.fromEntries(names.map((parameter) => [parameter, z.string()]))) }),
      ...(query === undefined ? {} : { query }),
      ...headers,
      ...(body === undefined ? {} : { body: { content: { 'application/json': { schema: body } } } }),
      ...(streams === 'in' ? { body: { content: { 'application/x-ndjson': { schema: z.string() } } } } : {}),
    },
    responses: {
      [CREATED.has(name) ? 201 : 200]: {
        description: summary,
        content: { [media]: { schema: answer ?? z.string() } },
      },
      default: { description: 'What went wrong', content: { [PROBLEM_TYPE]: { schema: problem } } },
    },
  }
}
