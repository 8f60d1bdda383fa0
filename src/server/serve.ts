import { defined } from '../domain/defined.ts'
import { readFile, stat } from 'node:fs/promises'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import { systemProblem } from '../domain/system-problem.ts'
import type { Memory } from '../api/memory.ts'
import type { ListenOptions } from '../api/serve.ts'
import { checkCall } from '../surface/check-call.ts'
import { serveCall } from '../surface/serve.ts'
import { type App, type AppOptions, createApp } from './create-app.ts'
import type { Readiness } from './health.ts'
import { adminKey } from '../access/admin-key.ts'
import { limitConnections } from './connection-limits.ts'
import { type Limits, limitDefaults } from './limits.ts'
import { loadTracer } from './telemetry.ts'
import { whileOpening } from './while-opening.ts'

export const PORT_DEFAULT = 3773
const LINGER_MS = 1_000

/** How a memory is served: where, to whom, within which limits. */
export type ServeOptions = ListenOptions & Pick<AppOptions, 'limits' | 'log'>

export interface Server {
  /** As `http://127.0.0.1:3773`. */
  readonly url: string
  /** For a browser: the key comes after the `#`, which is sent to nobody. `undefined` without a key file. */
  readonly link: string | undefined
  /** Whether this start made the admin key. */
  readonly firstStart: boolean
  readonly readiness: Readiness
  /** Takes no more requests, answers those begun, and ends. The memory stays open. */
  close(): Promise<void>
}

/**
 * Serves a memory over HTTP. One that is still being opened is served from the first moment: until it is there, `/readyz` says
 * `recovering`.
 */
export async function serve(opening: Memory | Promise<Memory>, options: ServeOptions = {}): Promise<Server> {
  const {
    host = '127.0.0.1',
    port = PORT_DEFAULT,
    tls,
    limits = {},
    origins,
    frameAncestors,
    backups,
    log,
    spanContent,
  } = checked(options)
  if (backups !== undefined) await checkBackups(backups)
  const tracer = options.telemetry === true ? await loadTracer() : undefined
  // The port may be chosen by the system, so the list of hosts is complete only once it listens.
  const late: { app?: App } = {}
  const framework = getRequestListener((request, env) => late.app?.fetch(request, env) ?? whileOpening(request), {
    // A library does not change the globals of the program it is in.
    overrideGlobalObjects: false,
  })
  const server = await makeServer(
    (incoming, outgoing) => {
      if (late.app?.append(incoming, outgoing) !== true) void framework(incoming, outgoing)
    },
    { ...limitDefaults, ...limits, ...(options.behindProxy === true ? { idlePerAddress: Infinity } : {}) },
    tls,
  )
  const bound = await listen(server, host, port)
  const { memory, key } = await opened(opening, options.keyFile).catch((error: unknown) => {
    server.close()
    server.closeAllConnections()
    throw error
  })
  const shown = host.includes(':') ? `[${host}]` : host
  const own = (isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [shown]).map((name) => `${name}:${bound}`)
  const app = createApp(memory, {
    hosts: [...own, ...(options.hosts ?? [])],
    limits,
    secure: tls !== undefined || options.behindProxy === true,
    ...defined({ frameAncestors, origins, backups, log, tracer, spanContent }),
  })
  late.app = app
  const url = `${tls === undefined ? 'http' : 'https'}://${shown}:${bound}`
  return {
    url,
    link: key === undefined ? undefined : `${url}/#key=${key.token}`,
    firstStart: key?.made === true,
    get readiness() {
      return app.readiness
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await app.drain()
      // Responses are on their way; a client that has not read one by then gets nothing.
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), LINGER_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

async function opened(
  opening: Memory | Promise<Memory>,
  keyFile: string | undefined,
): Promise<{ readonly memory: Memory; readonly key: Awaited<ReturnType<typeof adminKey>> }> {
  const memory = await opening
  return { memory, key: keyFile === undefined ? undefined : await adminKey(memory, keyFile) }
}

function checked(options: ServeOptions): ServeOptions {
  checkCall(serveCall, options)
  const { host = '127.0.0.1', tls, behindProxy = false } = options
  if (!isLoopback(host) && tls === undefined && !behindProxy)
    refuse('serve', 'host', host, 'a loopback address, TLS files, or behindProxy if a proxy in front handles TLS')
  return options
}

/** Checked at the start, so that a misspelt folder is not found out by the first backup. */
async function checkBackups(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true) refuse('serve', 'backups', folder, 'a folder that exists')
}

async function makeServer(listener: RequestListener, limits: Limits, tls: ServeOptions['tls']): Promise<HttpServer> {
  const { requestMs, uploadMs } = limits
  const create = (tls === undefined ? createServer : createSecureServer) as typeof createServer
  const serverOptions = {
    // Bodies that are not streamed have their own, shorter time: see `answer-route.ts`.
    requestTimeout: Math.max(requestMs, uploadMs),
    headersTimeout: Math.min(10_000, requestMs),
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    maxHeaderSize: 16_384,
    ...(tls === undefined ? {} : { cert: await readTls(tls.cert), key: await readTls(tls.key) }),
  }
  const server = create(serverOptions, listener)
  limitConnections(server, limits)
  // A client that takes nothing of what is written for that long is gone, or wants to be a burden. One that waits for a long
  // answer is neither.
  server.setTimeout(requestMs, (socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
  // Who was answered and still sends what nobody reads is let go.
  server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.complete) return
      const cut = setTimeout(() => request.complete || request.socket.destroy(), requestMs)
      request.socket.once('close', () => clearTimeout(cut))
    })
  })
  return server
}

async function readTls(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new MemoryError(
      'input/unreadable-file',
      `Cannot read ${JSON.stringify(file)} for TLS: ${systemProblem(error)}`,
      { file },
      error,
    )
  }
}

/** Resolves with the port. */
async function listen(server: HttpServer, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new MemoryError(
          'server/unavailable',
          `Cannot serve on ${host}:${port}: ${systemProblem(error)}`,
          { host, port },
          error,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
