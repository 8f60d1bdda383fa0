import { z } from 'zod'
import { MemoryError } from '../../domain/error.ts'
import { quote } from '../../domain/refuse.ts'
import type { EntitiesOptions } from '../../knowledge/entities.ts'
import type { PathOptions } from '../../knowledge/path.ts'
import { readCursor, writeCursor } from '../../wire/cursor.ts'
import { optionsOf, queryOf } from '../arguments.ts'
import type { Call, Route } from '../route.ts'
import * as schema from '../schemas.ts'

export const graphRoutes: readonly Route[] = [
  {
    operation: 'graph.around',
    summary: 'What is known around entities',
    body: z.looseObject({ around: z.any(), depth: z.int().optional(), limit: z.int().optional() }),
    answer: z.looseObject({ entities: z.array(schema.entity), facts: z.array(schema.object), truncated: z.boolean() }),
    handle: (call) => call.scope.graph(optionsOf(call)),
  },
  {
    operation: 'graph.path',
    summary: 'The shortest way from one entity to another',
    body: z.looseObject({ from: z.string(), to: z.string(), maxDepth: z.int().optional() }),
    answer: schema.object,
    handle: (call) => {
      const { from, to, ...options } = optionsOf<PathOptions & { from: string; to: string }>(call)
      return call.scope.path(from, to, options)
    },
  },
  {
    operation: 'graph.entities',
    summary: 'Entities of the scope and its ancestors, by name',
    query: schema.pageQuery.extend({ type: z.string().optional(), asOf: z.any().optional() }),
    answer: schema.page('entities', schema.entity),
    handle: list,
  },
  {
    operation: 'graph.entity',
    summary: 'One entity, by its name or an alias',
    query: schema.asOf,
    answer: schema.entity,
    handle: async (call) => {
      const name = call.names['name'] ?? ''
      const found = await call.scope.entity(name, queryOf(call))
      if (found === undefined)
        throw new MemoryError('knowledge/not-found', `Cannot get entity ${quote(name)}: found none of that name here`, {
          name,
        })
      return found
    },
  },
  {
    operation: 'graph.predicates',
    summary: 'Predicates that were declared here or above, and those built in',
    answer: schema.listOf('predicates', schema.object),
    handle: async (call) => ({ predicates: await call.scope.predicates() }),
  },
  {
    operation: 'graph.predicate',
    summary: 'Says whether a predicate holds one value at a time',
    body: z.object({ single: z.boolean() }),
    answer: schema.object,
    handle: (call) => call.scope.predicate(call.names['name'] ?? '', optionsOf(call)),
  },
]

async function list(call: Call): Promise<unknown> {
  const { after, ...options } = queryOf<EntitiesOptions>(call)
  const scope = call.scope.name
  const place = after === undefined ? {} : { after: readCursor('entities', scope, after) }
  const found = await call.scope.entities({ ...options, ...place })
  const last = found.at(-1)
  const more = last !== undefined && found.length >= (options.limit ?? 100)
  return { entities: found, next: more ? writeCursor('entities', scope, last.name) : null }
}
