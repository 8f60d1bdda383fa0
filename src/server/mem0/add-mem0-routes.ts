import type { Hono, Context as HonoContext } from 'hono'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Key } from '../../domain/key.ts'
import { problemOf } from '../../wire/problem.ts'
import { type NodeEnv, fromRequest } from '../from-request.ts'
import { identify } from '../identify.ts'
import { authorise } from '../middleware/authorise.ts'
import { parseJson, readBytes } from '../read-body.ts'
import type { Service } from '../service.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Mem0Route } from './mem0-routes.ts'

/** Where a key for the whole memory keeps what Mem0's clients store. */
const BASE_DEFAULT = 'mem0'

/** The routes of Mem0: `new MemoryClient({ apiKey, host })` works with a key of ours and this server's address. */
export function addMem0Routes(app: Hono, service: Service, routes: readonly Mem0Route[]): void {
  for (const route of routes)
    for (const path of [route.path, `${route.path}/`])
      app.on(route.method.toUpperCase(), path, (context: HonoContext) => answerMem0(service, route, context))
}

async function answerMem0(service: Service, route: Mem0Route, context: HonoContext): Promise<Response> {
  const started = performance.now()
  const visit: { key: Key | null; digest: string | null } = { key: null, digest: null }
  const work = perform(service, route, context, visit)
  service.running.add(work)
  let response: Response
  try {
    response = await work
  } catch (error) {
    response = errorResponse(service, error)
  } finally {
    service.running.delete(work)
  }
  writeDown(service, { route, context, visit, status: response.status, ms: performance.now() - started })
  return response
}

async function perform(
  service: Service,
  { can, handle }: Mem0Route,
  context: HonoContext,
  visit: { key: Key | null; digest: string | null },
): Promise<Response> {
  if (service.stopping.aborted)
    throw new MemoryError('server/unavailable', 'Cannot handle the request: the server is stopping')
  const key = await identify(service, fromRequest(context.req.raw, context.env as NodeEnv), authorizationOf(context))
  visit.key = key
  const base = key.scope ?? BASE_DEFAULT
  authorise(key, { can }, base)
  const leave = await service.gate.enter(key.id)
  try {
    const { limits, memory } = service
    const bytes = await withTimeout(readBytes(context.req.raw, limits.bodyBytesMax), limits.requestMs)
    if (bytes.length > 0) visit.digest = await service.digests.of(bytes)
    const body = bytes.length === 0 ? {} : parseJson(bytes, limits)
    const call = { memory, key, base, names: context.req.param(), query: context.req.query(), body: objectIn(body) }
    const answer = await withTimeout(handle(call), limits.answerMs)
    return new Response(JSON.stringify(answer), { headers })
  } finally {
    leave()
  }
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** Mem0's clients send `Token …`, those of a server that people run themselves `X-API-Key`. */
function authorizationOf(context: HonoContext): string | null {
  const token = /^Token (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? context.req.header('x-api-key')
  return token === undefined ? (context.req.header('authorization') ?? null) : `Bearer ${token}`
}

function objectIn(body: unknown): JSONObject {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JSONObject
  throw new MemoryError('input/invalid', 'Cannot read the request: the body is not an object', {})
}

/** As Mem0's server writes errors: its clients show this text. */
function errorResponse(service: Service, error: unknown): Response {
  const { code, status, detail } = problemOf(error)
  service.health.noticeError(code)
  return new Response(JSON.stringify({ error: detail, detail, code }), { status, headers })
}

function writeDown(
  service: Service,
  done: {
    readonly route: Mem0Route
    readonly context: HonoContext
    readonly visit: { readonly key: Key | null; readonly digest: string | null }
    readonly status: number
    readonly ms: number
  },
): void {
  const { route, context, visit, status, ms } = done
  const { key, digest } = visit
  const operation = `mem0.${route.handle.name}`
  service.metrics.observe(operation, status, ms)
  service.log({
    level: status >= 500 ? 'error' : 'info',
    message: 'request',
    method: context.req.method,
    operation,
    status,
    ms: Math.round(ms * 1_000) / 1_000,
    key: key?.id ?? null,
  })
  if (key === null || !(status === 403 || (route.can === 'write' && status < 400))) return
  if (status < 400) service.health.noticeSuccess()
  const scope = key.scope ?? BASE_DEFAULT
  const ids = JSON.stringify(Object.values(context.req.param()))
  service.audit.add({ at: service.now(), keyId: key.id, action: operation, scope, status, digest, ids })
}
