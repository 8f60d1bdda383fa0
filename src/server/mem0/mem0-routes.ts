import type { JSONValue } from '../../domain/json.ts'
import type { Verb } from '../../domain/key.ts'
import { MemoryError } from '../../domain/error.ts'
import { addMemories } from './add.ts'
import {
  deleteBatch,
  deleteMemory,
  getMemory,
  giveFeedback,
  memoryHistory,
  updateBatch,
  updateMemory,
} from './change.ts'
import { deleteEntity, deleteMemories, listEntities } from './entities.ts'
import { listMemories, readEvent, searchMemories } from './find.ts'
import type { Mem0Call } from './mem0-call.ts'

/** A route of Mem0. */
export interface Mem0Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With or without a slash at its end. */
  readonly path: string
  readonly can: Verb
  readonly handle: (call: Mem0Call) => Promise<JSONValue | readonly JSONValue[]>
}

const read = { can: 'read' } as const
const write = { can: 'write' } as const

/** Nothing is asked of a key here but that it is one. */
async function ping({ key }: Mem0Call): Promise<JSONValue> {
  return { status: 'ok', org_id: 'daybook', project_id: key.scope ?? 'daybook', user_email: null }
}

/** Paths that Mem0's hosted service has and we do not. */
const NOT_OFFERED = [
  '/v1/exports',
  '/v1/exports/get',
  '/api/v1/orgs/:rest{.+}',
  '/api/v1/webhooks/:rest{.+}',
  '/v2/entities/user/:id/profile',
  '/v2/profiles/:rest{.+}',
  '/reset',
  '/configure',
  '/configure/providers',
  '/generate-instructions',
]

async function notOffered(): Promise<never> {
  throw new MemoryError('server/not-offered', 'Daybook does not offer this part of Mem0', {})
}

/** The routes of the hosted service as its clients call them, older ones, and those of a server that people run themselves. */
export const mem0Routes: readonly Mem0Route[] = [
  { method: 'get', path: '/v1/ping', ...read, handle: ping },
  ...['/v3/memories/add', '/v1/memories', '/memories'].map((path): Mem0Route => ({
    method: 'post',
    path,
    ...write,
    handle: addMemories,
  })),
  ...['/v3/memories/search', '/v2/memories/search', '/v1/memories/search', '/search'].map((path): Mem0Route => ({
    method: 'post',
    path,
    ...read,
    handle: searchMemories,
  })),
  ...['/v3/memories', '/v2/memories'].map((path): Mem0Route => ({
    method: 'post',
    path,
    ...read,
    handle: listMemories,
  })),
  { method: 'get', path: '/v1/event/:id', ...read, handle: readEvent },
  ...['/v1/memories', '/memories'].flatMap((path): readonly Mem0Route[] => [
    { method: 'get', path, ...read, handle: listMemories },
    { method: 'delete', path, ...write, handle: deleteMemories },
    { method: 'get', path: `${path}/:id`, ...read, handle: getMemory },
    { method: 'put', path: `${path}/:id`, ...write, handle: updateMemory },
    { method: 'delete', path: `${path}/:id`, ...write, handle: deleteMemory },
    { method: 'get', path: `${path}/:id/history`, ...read, handle: memoryHistory },
  ]),
  { method: 'put', path: '/v1/batch', ...write, handle: updateBatch },
  { method: 'delete', path: '/v1/batch', ...write, handle: deleteBatch },
  { method: 'post', path: '/v1/feedback', ...write, handle: giveFeedback },
  ...['/v1/entities', '/entities'].map((path): Mem0Route => ({ method: 'get', path, ...read, handle: listEntities })),
  ...['/v1/entities', '/v2/entities', '/entities'].map((path): Mem0Route => ({
    method: 'delete',
    path: `${path}/:type/:name`,
    ...write,
    handle: deleteEntity,
  })),
  ...NOT_OFFERED.flatMap((path) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).map((method): Mem0Route => ({
      method,
      path,
      ...read,
      handle: notOffered,
    })),
  ),
]
