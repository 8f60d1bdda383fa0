import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono, type Context as HonoContext } from 'hono'
import { MemoryError } from '../domain/error.ts'
import type { JSONObject } from '../domain/json.ts'
import { allows } from '../domain/key.ts'
import { refuse } from '../domain/refuse.ts'
import type { Memory } from '../api/memory.ts'
import type { ListenOptions } from '../api/serve.ts'
import { LocalMemory } from '../memory/memory.ts'
import { surface } from '../surface/index.ts'
import { problemOf } from '../wire/problem.ts'
import { answerRoute } from './answer-route.ts'
import { AppendDoor } from './append-door.ts'
import { type NodeEnv, fromRequest } from './from-request.ts'
import { Gate } from './gate.ts'
import { Guard } from './guard.ts'
import { Health, type Readiness } from './health.ts'
import { type Limits, limitDefaults } from './limits.ts'
import type { LogLine } from './log-line.ts'
import { AuditTrail } from '../access/audit-trail.ts'
import { identify } from './identify.ts'
import { InspectorPage } from './inspector-page.ts'
import { KeyReads } from './key-reads.ts'
import { Idempotency } from '../access/idempotency.ts'
import { RequestDigests } from '../access/request-digests.ts'
import { addMem0Routes } from './mem0/add-mem0-routes.ts'
import { mem0Routes } from './mem0/mem0-routes.ts'
import { Metrics } from './metrics.ts'
import { describeApi } from './openapi.ts'
import { problemResponse } from './problem-response.ts'
import { namesOf } from './read-address.ts'
import { routes } from './routes.ts'
import type { Service } from './service.ts'
import { addSignIn } from './sign-in.ts'
import type { Tracer } from './telemetry.ts'

export interface AppOptions extends Pick<ListenOptions, 'origins' | 'frameAncestors' | 'backups' | 'spanContent'> {
  /** Exactly what the `Host` header may be, for example `127.0.0.1:3773`. */
  readonly hosts: readonly string[]
  /** Browsers reach the server by https, so the inspector's cookie is only ever sent that way. @default false */
  readonly secure?: boolean
  readonly limits?: Partial<Limits>
  /** Called with each request: no content, no keys. @default not called */
  readonly log?: (line: LogLine) => void
  readonly tracer?: Tracer
}

/** A server without a port: give it requests. */
export interface App {
  fetch(request: Request, env?: unknown): Promise<Response>
  /** Serves a request of Node's server if it is an append, which needs no framework. Otherwise returns `false`, and `fetch` serves it. */
  append(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  readonly readiness: Readiness
  /** Takes no more requests, ends streams, and resolves when those begun are answered and written down. */
  drain(timeoutMs?: number): Promise<void>
}

const DRAIN_MS = 10_000
/** The HTTP interface of a memory. The memory stays the caller's: draining does not close it. */
export function createApp(memory: Memory, options: AppOptions): App {
  if (options.hosts.length === 0) refuse('make a server', 'hosts', options.hosts, 'at least one host')
  const stopping = new AbortController()
  const service = makeService(memory, options, stopping.signal)
  const app = new Hono()
  app.onError((error) => problemResponse(error))
  app.notFound(() =>
    problemResponse(new MemoryError('access/not-found', 'Cannot find this address: the server has no such route')),
  )
  const guard = new Guard(options.hosts, options.origins)
  const appends = new AppendDoor(service, guard)
  addGuard(app, guard)
  addPlainRoutes(app, service)
  addSignIn(app, service, { secure: options.secure === true })
  addInspector(app, options)
  for (const route of routes) {
    const { method, path } = route.operation
    app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context: HonoContext) => {
      const request = fromRequest(context.req.raw, context.env as NodeEnv)
      const answer = await answerRoute(service, route, request, namesOf(path, context))
      return answer instanceof Response ? answer : new Response(answer.body, answer)
    })
  }
  addMem0Routes(app, service, mem0Routes)
  let mcp: Promise<(context: HonoContext) => Promise<Response>> | undefined
  app.all('/mcp', async (context) => {
    // Loaded when somebody speaks it.
    mcp ??= import('./mcp/answer-mcp.ts').then(({ mcpDoor }) => mcpDoor(service))
    return (await mcp)(context)
  })
  // Made when it is first asked for.
  let document: JSONObject | undefined
  app.get('/openapi.json', (context) => context.json((document ??= describeApi(surface))))
  return {
    fetch: async (request, env) => {
      // Node's server was asked before.
      const { incoming } = (env ?? {}) as NodeEnv
      const append = incoming === undefined ? appends.fetch(fromRequest(request, undefined)) : undefined
      return append ?? app.fetch(request, env as object)
    },
    append: (incoming, outgoing) => appends.serve(incoming, outgoing),
    get readiness() {
      return service.health.readiness
    },
    async drain(timeoutMs = DRAIN_MS) {
      service.health.stop()
      stopping.abort()
      await settled(service.running, timeoutMs)
      await service.audit.flush()
    },
  }
}

function makeService(
  memory: Memory,
  { limits: given, log, tracer, backups, spanContent = false }: AppOptions,
  stopping: AbortSignal,
): Service {
  const { store, log: parts } = LocalMemory.partsOf(memory)
  const now = (): number => parts.clock.now()
  const limits: Limits = { ...limitDefaults, ...given }
  const ticks = (): number => performance.now()
  const perAddress = { runningPerKey: 1, waitingPerKey: 0, streamsPerKey: 0 }
  return {
    memory,
    keys: new KeyReads(store.access),
    limits,
    backups,
    now,
    gate: new Gate(limits, ticks),
    wrongKeys: new Gate({ ratePerSecond: limits.wrongKeysPerSecond, ...perAddress }, ticks),
    idempotency: new Idempotency(store.access, now),
    digests: new RequestDigests(store.access, now),
    audit: new AuditTrail(store.access, (error) =>
      log?.({ level: 'error', message: 'the audit trail could not be written', error: problemOf(error).code }),
    ),
    metrics: new Metrics(),
    health: new Health(store.access, ticks),
    log: log ?? (() => undefined),
    telemetry: tracer === undefined ? undefined : { tracer, content: spanContent },
    stopping,
    running: new Set(),
  }
}

/** Before anything else: is the request meant for this server, and may its page call us. */
function addGuard(app: Hono, guard: Guard): void {
  app.use(async (context, next) => {
    const { headers } = context.req.raw
    guard.check(headers, (context.env as NodeEnv | undefined)?.incoming?.url)
    const shared = guard.sharedWith(headers)
    if (shared !== undefined && context.req.method === 'OPTIONS') return preflight(shared)
    await next()
    for (const [name, value] of Object.entries(guard.headersFor(headers)))
      context.res.headers[name === 'vary' ? 'append' : 'set'](name, value)
    return undefined
  })
}

/** What is not an operation on the memory: health for everybody, metrics for keys that may read everything. */
function addPlainRoutes(app: Hono, service: Service): void {
  const { health, metrics, gate, running } = service
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const status = await health.look()
    return context.json({ status }, status === 'ready' ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    const key = await identify(service, fromRequest(context.req.raw, context.env as NodeEnv))
    if (key.scope !== null || !allows(key.can, 'read'))
      throw new MemoryError('access/not-found', 'Cannot find this scope: there is nothing here for this key')
    return context.text(
      metrics.write({
        daybook_requests_running: running.size,
        daybook_requests_shed: gate.shed,
        daybook_ready: health.readiness === 'ready' ? 1 : 0,
      }),
    )
  })
}

/** The views of the inspector, each at an address of its own. They show what the key of the reader may see. */
const VIEWS = ['/', '/sessions', '/session', '/knowledge', '/recall', '/memory']

function addInspector(app: Hono, { frameAncestors }: AppOptions): void {
  const page = new InspectorPage(frameAncestors)
  for (const path of VIEWS) app.get(path, (context) => page.answer(context))
  app.get('/me', (context) => page.answer(context, { framed: true }))
  app.get('/assets/:name', (context) => page.asset(context))
}

/** Waits for what runs, also for requests that arrived meanwhile, but only for a limited time. */
async function settled(running: ReadonlySet<Promise<unknown>>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  while (running.size > 0 && (await Promise.race([Promise.allSettled(running).then(() => true), late])));
  clearTimeout(timer)
}

function preflight(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
      'access-control-max-age': '600',
      vary: 'origin',
    },
  })
}
