import { defined } from '../../domain/defined.ts'
import { type McpHttpHandler, createMcpHandler } from '@modelcontextprotocol/server'
import type { Context as HonoContext } from 'hono'
import { MemoryError } from '../../domain/error.ts'
import { type Key, allows, covers } from '../../domain/key.ts'
import { checkScope } from '../../domain/names.ts'
import { refuse } from '../../domain/refuse.ts'
import { problemOf } from '../../wire/problem.ts'
import { type NodeEnv, fromRequest } from '../from-request.ts'
import { identify } from '../identify.ts'
import { problemResponse } from '../problem-response.ts'
import { parseJson, readBytes } from '../read-body.ts'
import type { Service } from '../service.ts'
import { withEnd } from '../stream.ts'
import { withTimeout } from '../with-timeout.ts'
import { type McpOptions, type Toolset, makeMcpServer, toolsets } from './make-mcp-server.ts'
import type { McpTool } from './mcp-tool.ts'

const SESSION_DEFAULT = 'mcp'
const BUDGET = 2_000

/** What the address says beside the key: `/mcp?scope=acme/ada&session=support-42&toolset=reference&allowDestroy=true`. */
interface Wanted {
  readonly scope: string
  readonly session: string
  readonly toolset: Toolset
  readonly allowDestroy: boolean
}

/**
 * MCP over streamable HTTP, without sessions: each request has its key, and there is nothing to resume or to hijack. The same
 * door as everywhere: host and origin before, then key, scope, lane and size.
 */
export function mcpDoor(service: Service): (context: HonoContext) => Promise<Response> {
  // Requests over HTTP get replies and no notifications, so no subscription is needed.
  const handler = createMcpHandler(({ authInfo }) => makeMcpServer(authInfo?.extra?.['options'] as McpOptions), {
    maxSubscriptions: 1,
  })
  service.stopping.addEventListener('abort', () => void handler.close(), { once: true })
  return (context) => answerMcp(service, handler, context)
}

async function answerMcp(service: Service, handler: McpHttpHandler, context: HonoContext): Promise<Response> {
  const started = performance.now()
  let key: Key | null = null
  const work = (async () => {
    if (service.stopping.aborted) throw new MemoryError('server/unavailable', 'Cannot use MCP: the server is stopping')
    key = await identify(service, fromRequest(context.req.raw, context.env as NodeEnv))
    const wanted = wantedOf(key, context)
    const leave = await service.gate.enter(key.id)
    try {
      const response = await converse(service, { key, wanted, handler }, context.req.raw)
      // An answer may be a stream: its place is taken until it is over.
      return response.body === null ? (leave(), response) : new Response(withEnd(response.body, leave), response)
    } catch (error) {
      leave()
      throw error
    }
  })()
  service.running.add(work)
  let response: Response
  try {
    response = await work
  } catch (error) {
    service.health.noticeError(problemOf(error).code)
    response = problemResponse(error)
  } finally {
    service.running.delete(work)
  }
  const { status } = response
  const ms = performance.now() - started
  service.metrics.observe('mcp', status, ms)
  service.log({
    level: status >= 500 ? 'error' : 'info',
    message: 'request',
    method: context.req.method,
    operation: 'mcp',
    status,
    ms: Math.round(ms * 1_000) / 1_000,
    key: (key as Key | null)?.id ?? null,
  })
  return response
}

/** Another's scope is not found, whatever the key may do. */
function wantedOf(key: Key, context: HonoContext): Wanted {
  const { scope = key.scope, session = SESSION_DEFAULT, toolset = 'daybook', allowDestroy } = context.req.query()
  if (scope === null) refuse('use MCP', 'scope', scope, 'a scope in the address, for example /mcp?scope=acme/ada')
  if (!covers(key.scope, scope))
    throw new MemoryError('access/not-found', 'Cannot find this scope: there is nothing here for this key')
  checkScope('use MCP', scope)
  if (!toolsets.includes(toolset as Toolset)) refuse('use MCP', 'toolset', toolset, toolsets.join(', '))
  if (allowDestroy !== undefined && allowDestroy !== 'true' && allowDestroy !== 'false')
    refuse('use MCP', 'allowDestroy', allowDestroy, 'true or false')
  return { scope, session, toolset: toolset as Toolset, allowDestroy: allowDestroy === 'true' }
}

interface McpRequest {
  readonly key: Key
  readonly wanted: Wanted
  readonly handler: McpHttpHandler
}

async function converse(service: Service, { key, wanted, handler }: McpRequest, request: Request): Promise<Response> {
  const { limits } = service
  const bytes = await withTimeout(readBytes(request, limits.bodyBytesMax), limits.requestMs)
  const body = bytes.length === 0 ? undefined : parseJson(bytes, limits)
  // One request, one place: a list would be a way around every limit, and the protocol has none since 2025.
  if (Array.isArray(body) || (body === undefined && request.method === 'POST'))
    refuse('use MCP', 'body', body, 'one JSON-RPC message')
  const digest = await service.digests.of(bytes)
  const options: McpOptions = {
    scope: service.memory.scope(wanted.scope),
    session: wanted.session,
    toolset: wanted.toolset,
    allowDestroy: wanted.allowDestroy,
    budget: BUDGET,
    can: key.can,
    channel: allows(key.can, 'write') ? 'agent' : 'tool',
    onUse: (tool, error) => writeDown(service, { key, wanted, digest }, tool, error),
  }
  const authInfo = { token: '', clientId: key.id, scopes: [...key.can], extra: { options } }
  return handler.fetch(request, { authInfo, ...defined({ parsedBody: body }) })
}

/** What was done, and what failed: a tool's failure is an answer of the protocol, so the status of the request does not show it. */
function writeDown(
  { audit, health, now }: Service,
  { key, wanted, digest }: { readonly key: Key; readonly wanted: Wanted; readonly digest: string },
  tool: McpTool,
  error: unknown,
): void {
  if (tool.can === 'read') return
  if (error === undefined) health.noticeSuccess()
  else health.noticeError(problemOf(error).code)
  const { scope, session } = wanted
  const status = error === undefined ? 200 : problemOf(error).status
  const ids = JSON.stringify([session])
  audit.add({ at: now(), keyId: key.id, action: `mcp.${tool.name}`, scope, status, digest, ids })
}
