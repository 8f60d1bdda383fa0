import { defined } from '../domain/defined.ts'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { checkOptions } from '../domain/check-options.ts'
import { type ErrorCode, MemoryError } from '../domain/error.ts'
import { type Key, allows } from '../domain/key.ts'
import { refuse } from '../domain/refuse.ts'
import type { ContextRecord } from '../api/kept-contexts.ts'
import type { Scope } from '../api/scope.ts'
import type { Operation, Repeat } from '../surface/operation.ts'
import { hasQuery, requestFields, textParameters } from '../surface/request-fields.ts'
import { problemOf } from '../wire/problem.ts'
import type { Arrived } from './arrived.ts'
import type { PlainAnswer } from './plain-answer.ts'
import type { RequestWeight } from './gate.ts'
import { problemAnswer } from './problem-answer.ts'
import { replayOf } from './replay/replay-of.ts'
import { identify } from './identify.ts'
import { jsonPieces } from './json-pieces.ts'
import { authenticate } from './middleware/authenticate.ts'
import { authorise } from './middleware/authorise.ts'
import { credentialsOf } from './middleware/credentials.ts'
import { MINIMAL_TYPE, blindAnswer, blindError, isBlind } from './blind-answer.ts'
import { checkAncestors } from './middleware/check-ancestors.ts'
import { checkVoice } from './middleware/check-voice.ts'
import { type KeptResponse, idempotencyKeyOf } from '../access/idempotency.ts'
import { parseQuery } from './read-address.ts'
import { parseJson } from './read-body.ts'
import type { Call, Route } from './route.ts'
import type { Service } from './service.ts'
import { streamOf, withEnd } from './stream.ts'
import { spokenIn } from './spoken-in.ts'
import { withTimeout } from './with-timeout.ts'
import { beginSpan } from './telemetry.ts'

const SHED_PAUSE_MS = 100
const LONG_BODY_BYTES = 128 * 1024

/** A request on its way, and what is known of it so far. */
interface RequestState {
  readonly service: Service
  readonly route: Route
  readonly request: Arrived
  readonly names: Readonly<Record<string, string>>
  key: Key | null
  /** For the audit trail: where, what was sent, and what it was done to. */
  scope: string | null
  digest: string | null
  ids: readonly string[]
  /** For spans: what was sent and what was answered, where it is not a stream. */
  body: unknown
  value: unknown
}

/** A request from the door to the answer: who is it, may they, is there room, what do they want, do it, write it down. */
export async function answerRoute(
  service: Service,
  route: Route,
  request: Arrived,
  names: Readonly<Record<string, string>>,
): Promise<Response | PlainAnswer> {
  const started = performance.now()
  const { scope, session } = names
  const known = { key: null, scope: scope ?? null, digest: null, ids: [], body: undefined, value: undefined }
  const state: RequestState = { service, route, request, names, ...known }
  const endSpan = beginSpan(service.telemetry, route.operation.name, { scope, session })
  const work = admit(state)
  service.running.add(work)
  let response: Response | PlainAnswer
  let code: ErrorCode | undefined
  try {
    response = await work
  } catch (error) {
    const problem = problemOf(error)
    ;({ code } = problem)
    service.health.noticeError(code)
    response = problemAnswer(blindError(state.key, error))
    if (problem.status >= 500) service.log({ level: 'error', message: describeFailure(error), error: code })
  } finally {
    service.running.delete(work)
  }
  // Nothing was read or done, and the refusal is ready; told at once, a client that asks again at once would keep the server
  // busy with refusals. A connection has one request at a time, so those who wait here are few.
  if (code === 'server/overloaded') await setTimeout(SHED_PAUSE_MS)
  endSpan({ status: response.status, code, body: state.body, value: state.value })
  writeDown(state, { status: response.status, ms: performance.now() - started, code })
  return response
}

function writeDown(
  { service, route, request, names, key, scope, digest, ids }: RequestState,
  { status, ms, code }: { readonly status: number; readonly ms: number; readonly code: ErrorCode | undefined },
): void {
  const changes = route.operation.writes
  if (code === undefined && changes) service.health.noticeSuccess()
  service.metrics.observe(route.operation.name, status, ms)
  service.log({
    level: status >= 500 ? 'error' : 'info',
    message: 'request',
    method: request.method,
    operation: route.operation.name,
    status,
    ms: Math.round(ms * 1_000) / 1_000,
    key: key?.id ?? null,
    ...defined({ code }),
  })
  // What was done, and what somebody with a key tried to do and may not.
  if (key === null || !(status === 403 || (changes && status < 400))) return
  const named = Object.keys(names).flatMap((name) => (name === 'scope' ? [] : [names[name]]))
  const done = { at: service.now(), keyId: key.id, action: route.operation.name, scope, status, digest }
  service.audit.add({ ...done, ids: JSON.stringify([...named, ...ids]) })
}

async function admit(state: RequestState): Promise<Response | PlainAnswer> {
  const { service, route, request, names } = state
  if (service.stopping.aborted)
    throw new MemoryError('server/unavailable', 'Cannot handle the request: the server is stopping')
  const key = await identify(service, request)
  state.key = key
  const { scope } = names
  authorise(key, route.operation, scope)
  if (isEventStream(route.operation)) return stream(state, key, service.gate.openStream(key.id))
  const leave = await service.gate.enter(key.id, weightOf(route.operation))
  try {
    const response = await perform(state, key)
    if (!(response instanceof Response) || response.body === null) leave()
    // What is sent piece by piece is also made so, and has its place until the end.
    else return new Response(withEnd(response.body, leave), response)
    return response
  } catch (error) {
    leave()
    throw error
  }
}

function isEventStream({ streams }: Operation): boolean {
  return streams !== undefined && 'out' in streams && streams.out === 'text/event-stream'
}

/** Stays open, mostly idle: it has a place of its own kind, and gives it back when either side ends it. */
async function stream(state: RequestState, key: Key, leave: () => void): Promise<Response> {
  const call = callOf(state, key, { body: undefined, idempotencyKey: undefined })
  const { signal } = call
  signal.addEventListener('abort', leave, { once: true })
  try {
    const response = (await state.route.handle(call)) as Response
    return new Response(response.body === null ? null : withEnd(response.body, leave), response)
  } catch (error) {
    leave()
    throw error
  }
}

async function perform(state: RequestState, key: Key): Promise<Response | PlainAnswer> {
  const { service, route, request } = state
  const { limits } = service
  const { operation } = route
  const { name, streams, patient, repeat } = operation
  const idempotencyKey = operation.writes ? idempotencyKeyOf(request.headers) : undefined
  const bytes =
    streams !== undefined || operation.method === 'get'
      ? new Uint8Array()
      : await inTimeFor(request.read(limits.bodyBytesMax), limits.requestMs)
  checkType(request, bytes)
  checkQuery(operation, request)
  // For the audit trail, which has what was changed. The first digest of a memory stores its secret, and reading stores nothing.
  if (bytes.length > 0 && operation.writes) state.digest = await service.digests.of(bytes)
  // Each step of reading a long body takes some milliseconds: others run in between.
  const isLong = bytes.length > LONG_BODY_BYTES
  if (isLong) await setImmediate()
  const body = bytes.length === 0 ? undefined : parseJson(bytes, limits)
  state.body = body
  if (isLong) await setImmediate()
  checkAncestors(key, state.names['scope'], body)
  if (!allows(key.can, 'instruct')) await checkSpeaker(state, key)
  const call = callOf(state, key, { body, idempotencyKey })
  // Whoever waits too long gets an error. The work goes on, and a retry under its name finds it.
  const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
    patient === true ? work : withTimeout(work, limits.answerMs)
  if (idempotencyKey === undefined || streams !== undefined || isAnswerNotKept(repeat))
    return asResponse(state, await inTime(answer(state, call)))
  const address = Buffer.from(`${request.method} ${new URL(request.url, 'http://any').pathname}\n`)
  const digest = await service.digests.of(Buffer.concat([address, bytes]))
  const asked = { keyId: key.id, operation: name, idempotencyKey, request: digest }
  const work = {
    again: replayOf(operation, call),
    run: () => answer(state, call) as Promise<KeptResponse>,
    answer: (value: unknown) => answerWith(state, value),
  }
  return asResponse(state, await inTime(service.idempotency.once(asked, work)))
}

function inTimeFor<Result>(work: Result | Promise<Result>, ms: number): Result | Promise<Result> {
  return work instanceof Promise ? withTimeout(work, ms) : work
}

/** An append is done once by the log itself. A new key is shown once and stored nowhere, so its answer cannot be kept. */
function isAnswerNotKept(repeat: Repeat | undefined): boolean {
  return repeat === 'by-log' || repeat === 'not-kept'
}

async function answer(state: RequestState, call: Call): Promise<Response | KeptResponse> {
  const value = await state.route.handle(call)
  // A recorded context has the options that it was built with, perhaps by somebody who may read more than this key.
  if (state.route.operation.name === 'recordedContexts.read')
    checkAncestors(call.key, state.names['scope'], (value as ContextRecord).options)
  if (value instanceof Response) return value
  return state.route.operation.writes ? answerWith(state, value) : answerInPieces(state, value)
}

/** What is read may be long: then it is written and sent piece by piece. */
async function answerInPieces(state: RequestState, value: unknown): Promise<Response | KeptResponse> {
  state.ids = idsOf(value)
  state.value = value
  const { key, route } = state
  const status = statusOf(route.operation)
  const pieces = jsonPieces(blindAnswer(key, route.operation.name, value))
  const { value: first = '' } = await pieces.next()
  const second = await pieces.next()
  if (second.done === true) return { status, body: first }
  async function* all(): AsyncGenerator<string> {
    yield first
    yield second.value ?? ''
    yield* pieces
  }
  const body = streamOf(all(), () => undefined)
  return new Response(body, { status, headers: headersOf(key) })
}

function answerWith(state: RequestState, value: unknown): KeptResponse {
  state.ids = idsOf(value)
  state.value = value
  const { operation } = state.route
  return { status: statusOf(operation), body: JSON.stringify(blindAnswer(state.key, operation.name, value)) }
}

function statusOf({ creates }: Operation): number {
  return creates === true ? 201 : 200
}

function asResponse({ key }: RequestState, answered: Response | KeptResponse): Response | PlainAnswer {
  if (answered instanceof Response) return answered
  return { ...answered, headers: headersOf(key) }
}

function headersOf(key: Key | null): Readonly<Record<string, string>> {
  return { 'content-type': isBlind(key) ? MINIMAL_TYPE : 'application/json', 'cache-control': 'no-store' }
}

/** Whoever changes or adds a message of the system must be allowed to speak as it. */
async function checkSpeaker({ route, names, body, service }: RequestState, key: Key): Promise<void> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const { name } = route.operation
  if (name === 'messages.append' || name === 'streams.keep' || name === 'changes.sync') checkVoice(key, fields)
  if (name === 'imports.batch') checkVoice(key, (fields['batch'] ?? {}) as { readonly messages?: unknown })
  if (name !== 'messages.revise' && name !== 'changes.change') return
  const { scope = '', session: address = '', id = '' } = names
  const session = service.memory.scope(scope).session(address)
  if (name === 'messages.revise') checkVoice(key, { messages: await session.get(id) })
  else checkVoice(key, { ...fields, messages: await spokenIn(session, fields['steps']) })
}

/** A parameter that the operation does not have would be ignored, such as a field of the body that is sent in the query. */
function checkQuery(operation: Operation, { url }: Arrived): void {
  const at = url.indexOf('?')
  if (at < 0) return
  const known = hasQuery(operation) ? Object.keys(requestFields(operation)) : []
  const names = [...new URLSearchParams(url.slice(at)).keys()]
  checkOptions(operation.attempt, Object.fromEntries(names.map((name) => [name, true])), known, 'parameter')
}

/** A body must say that it is JSON: a form of a stranger's page cannot. */
function checkType(request: Arrived, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) refuse('read the request', 'content-type', type, 'application/json')
}

function callOf(
  { service, route, request, names }: RequestState,
  key: Key,
  read: Pick<Call, 'body' | 'idempotencyKey'>,
): Call {
  const { memory, limits, backups, stopping } = service
  const { scope } = names
  return {
    memory,
    // Operations of the whole memory have no scope and never ask for it: see `Call`.
    scope: scope === undefined ? (undefined as unknown as Scope) : memory.scope(scope),
    names,
    query: parseQuery(request.url, textParameters(route.operation)),
    key,
    request,
    limits,
    backups,
    checkKey: async () => {
      await authenticate(service.keys, credentialsOf(request.headers), service.now())
    },
    // Made when it is asked for: most calls are over before anybody could end them, and a signal costs more than a read.
    get signal() {
      return AbortSignal.any([stopping, request.signal])
    },
    ...read,
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

/** Where it failed, without what was in it: messages of strangers may quote content. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failure'
  const frame = (error.stack ?? '').split('\n').find((line) => line.trim().startsWith('at ')) ?? ''
  return `failure: ${error.name} ${frame.trim()}`
}

function weightOf({ name, patient }: Operation): RequestWeight {
  if (name === 'messages.append') return 'light'
  if (patient === true) return 'long'
  return name === 'recall.ask' || name === 'messages.search' ? 'question' : 'heavy'
}
