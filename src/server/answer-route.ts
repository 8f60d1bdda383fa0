import type { Context as HonoContext } from 'hono'
import { MemoryError } from '../domain/error.ts'
import { type Key, covers } from '../domain/key.ts'
import { refuse } from '../domain/refuse.ts'
import type { Scope } from '../memory/scope.ts'
import { isWrite, operations } from '../wire/operations.ts'
import { problemOf } from '../wire/problem.ts'
import { fromSegment } from '../wire/segment.ts'
import { problemResponse } from './problem-response.ts'
import { authenticate } from './middleware/authenticate.ts'
import { authorise } from './middleware/authorise.ts'
import { type Answer, idempotencyKeyOf, sha256 } from './middleware/idempotency.ts'
import { parseJson, readBytes } from './read-body.ts'
import { CREATED, type Call, type Route } from './route.ts'
import type { Service } from './service.ts'
import { beginSpan } from './telemetry.ts'

/** What became of a request, for the log, the metrics and the audit trail. */
interface Outcome {
  key: Key | null
  scope: string | undefined
  digest: string | null
  ids: readonly string[]
}

/** A request from the door to the answer: who is it, may they, is there room, what do they want, do it, write it down. */
export async function answerRoute(service: Service, route: Route, context: HonoContext): Promise<Response> {
  const started = performance.now()
  const operation = operations[route.operation]
  const names = namesOf(operation.path, context)
  const outcome: Outcome = { key: null, scope: names['scope'], digest: null, ids: [] }
  const endSpan = beginSpan(service.tracer, {
    name: route.operation,
    operation,
    scope: names['scope'],
    session: names['session'],
  })
  const work = admitted(service, route, context, names, outcome)
  service.running.add(work)
  let response: Response
  let code: string | undefined
  try {
    response = await work
  } catch (error) {
    const problem = problemOf(error)
    ;({ code } = problem)
    if (MemoryError.is(error)) service.health.noticeError(error.code)
    response = problemResponse(error)
    if (problem.status >= 500) service.log({ level: 'error', message: describeFailure(error), error: problem.code })
  } finally {
    service.running.delete(work)
  }
  const { status } = response
  const ms = Math.round((performance.now() - started) * 1_000) / 1_000
  if (code === undefined && isWrite(operation)) service.health.noticeSuccess()
  service.metrics.observe(route.operation, status, ms)
  service.log({
    level: status >= 500 ? 'error' : 'info',
    message: 'request',
    method: context.req.method,
    operation: route.operation,
    status,
    ms,
    key: outcome.key?.id ?? null,
    ...(code === undefined ? {} : { code }),
  })
  endSpan(status, code)
  if (outcome.key !== null && (isWrite(operation) ? status < 400 || status === 403 : status === 403)) {
    service.audit.add({
      at: service.now(),
      keyId: outcome.key.id,
      action: route.operation,
      scope: outcome.scope ?? null,
      status,
      ids: JSON.stringify([
        ...Object.entries(names).flatMap(([name, value]) => (name === 'scope' ? [] : [value])),
        ...outcome.ids,
      ]),
      digest: outcome.digest,
    })
  }
  return response
}

async function admitted(
  service: Service,
  route: Route,
  context: HonoContext,
  names: Readonly<Record<string, string>>,
  outcome: Outcome,
): Promise<Response> {
  if (service.stopping.aborted) throw new MemoryError('server/unavailable', 'Cannot answer: the server stops')
  const operation = operations[route.operation]
  const key = await identify(service, context)
  outcome.key = key
  const { scope } = names
  // A denied request must not tell names of others to the trail of this key.
  if (scope !== undefined && !covers(key.scope, scope)) outcome.scope = undefined
  authorise(key, operation, scope)
  if (route.operation === 'messages.watch') {
    const leave = service.gate.openStream(key.id)
    return stream(service, route, context, { key, names }, leave)
  }
  const leave = await service.gate.enter(key.id)
  try {
    return await perform(service, route, context, { key, names }, outcome)
  } finally {
    leave()
  }
}

/** Whose request it is. Wrong keys are counted by address, so that guessing is slow and cannot slow down others. */
async function identify(service: Service, context: HonoContext): Promise<Key> {
  try {
    return await authenticate(service.store, context.req.header('authorization') ?? null, service.now())
  } catch (error) {
    if (MemoryError.is(error, 'access/unauthenticated')) (await service.strangers.enter(addressOf(context)))()
    throw error
  }
}

interface Who {
  readonly key: Key
  readonly names: Readonly<Record<string, string>>
}

async function stream(
  service: Service,
  route: Route,
  context: HonoContext,
  who: Who,
  leave: () => void,
): Promise<Response> {
  const signal = AbortSignal.any([service.stopping, context.req.raw.signal])
  signal.addEventListener('abort', leave, { once: true })
  try {
    const response = (await route.handle(callOf(service, route, context, who, { signal, body: undefined }))) as Response
    return new Response(response.body?.pipeThrough(new TransformStream({ flush: leave })) ?? null, response)
  } catch (error) {
    leave()
    throw error
  }
}

async function perform(
  service: Service,
  route: Route,
  context: HonoContext,
  who: Who,
  outcome: Outcome,
): Promise<Response> {
  const { limits } = service
  const operation = operations[route.operation]
  const request = context.req.raw
  const idempotencyKey = isWrite(operation) ? idempotencyKeyOf(request.headers) : undefined
  const signal = AbortSignal.any([service.stopping, request.signal])
  const streamed = route.streams !== undefined
  const bytes =
    streamed || operation.method === 'get'
      ? new Uint8Array()
      : await withTime(readBytes(request, limits.bodyBytesMax), limits.requestMs)
  checkType(request, bytes)
  if (bytes.length > 0) outcome.digest = sha256(bytes)
  const body = bytes.length === 0 ? undefined : parseJson(bytes, limits)
  const call = callOf(service, route, context, who, { signal, body, idempotencyKey })
  const run = async (): Promise<Response | Answer> => {
    const result = route.handle(call)
    const value = await (route.patient === true ? result : withTime(Promise.resolve(result), limits.answerMs))
    if (value instanceof Response) return value
    outcome.ids = idsOf(value)
    return { status: CREATED.has(route.operation) ? 201 : 200, body: JSON.stringify(value) }
  }
  // An append is done once by the log itself.
  const byLog = route.operation === 'messages.append' || route.operation === 'messages.bulk'
  // A token is shown once and stored nowhere, so this answer cannot be kept.
  const unkept = byLog || streamed || route.operation === 'keys.create'
  const answer =
    idempotencyKey === undefined || unkept
      ? await run()
      : await service.idempotency.once(
          {
            keyId: who.key.id,
            operation: route.operation,
            idempotencyKey,
            request: sha256(`${request.method} ${new URL(request.url).pathname}\n${outcome.digest ?? ''}`),
          },
          run as () => Promise<Answer>,
        )
  return answer instanceof Response
    ? answer
    : new Response(answer.body, {
        status: answer.status,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      })
}

/** A body must say that it is JSON: a form of a stranger's page cannot. */
function checkType(request: Request, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) refuse('read the request', 'content-type', type, 'application/json')
}

function callOf(
  service: Service,
  { operation }: Route,
  context: HonoContext,
  { key, names }: Who,
  rest: { readonly signal: AbortSignal; readonly body: unknown; readonly idempotencyKey?: string | undefined },
): Call {
  const { memory, limits } = service
  const { scope } = names
  return {
    memory,
    scope: scope === undefined ? (undefined as unknown as Scope) : memory.scope(scope),
    names,
    query: queryOf(context, operations[operation].text ?? []),
    key,
    request: context.req.raw,
    limits,
    idempotencyKey: undefined,
    ...rest,
  }
}

function namesOf(path: string, context: HonoContext): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, fromSegment(context.req.param(name) ?? '')]))
}

/** Text as it stands, other values as JSON; what is not JSON stays text, and the library says what it wants instead. */
function queryOf(context: HonoContext, text: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(context.req.query()).map(([name, value]) => [name, text.includes(name) ? value : jsonOr(value)]),
  )
}

function jsonOr(value: string): unknown {
  try {
    return parseJson(new TextEncoder().encode(value), { bodyBytesMax: 65_536, depthMax: 16, fieldsMax: 1_000 })
  } catch {
    return value
  }
}

const IDS_MAX = 100

/** Ids of what was stored, wherever an answer has them. */
function idsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'id' in value && typeof value.id === 'string' ? [value.id] : []
  const lists = Object.values(value).filter(Array.isArray).flat() as readonly unknown[]
  const listed = lists
    .slice(0, IDS_MAX)
    .flatMap((item) =>
      typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
    )
  return [...own, ...listed]
}

async function withTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new MemoryError('server/unavailable', `Cannot answer: it took longer than ${ms} ms`, { ms })),
      ms,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function addressOf(context: HonoContext): string {
  const env = context.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return env?.incoming?.socket?.remoteAddress ?? 'unknown'
}

/** Where it failed, without what was in it: messages of strangers may quote content. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failure'
  const frame = (error.stack ?? '').split('\n').find((line) => line.trim().startsWith('at ')) ?? ''
  return `failure: ${error.name} ${frame.trim()}`
}
