import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { Memory } from '../memory/memory.ts'
import { type AppOptions, createApp } from './create-app.ts'
import type { Readiness } from './health.ts'
import { adminKey } from './keys/admin-key.ts'
import { limitDefaults } from './limits.ts'
import { loadTracer } from './telemetry.ts'

export const PORT_DEFAULT = 3773

export interface ServeOptions extends Omit<AppOptions, 'hosts' | 'tracer'> {
  /** @default 127.0.0.1 */
  readonly host?: string
  /** 0 for any that is free. @default 3773 */
  readonly port?: number
  /** More values that the `Host` header may have, exactly. @default those of the address */
  readonly hosts?: readonly string[]
  /** Files of a certificate and its key: an address that others can reach needs them, or `behindProxy`. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Somebody in front speaks TLS to the world. */
  readonly behindProxy?: boolean
  /** Where the first start keeps its admin key. @default none is made */
  readonly keyFile?: string
  /** Spans for OpenTelemetry, if `@opentelemetry/api` is installed. @default false */
  readonly telemetry?: boolean
}

export interface Server {
  /** As `http://127.0.0.1:3773`. */
  readonly url: string
  /** For a browser: the key stands behind the `#`, which is sent to nobody. `undefined` without a key file. */
  readonly link: string | undefined
  readonly readiness: Readiness
  /** Takes no more requests, answers those begun, and ends. The memory stays open. */
  close(): Promise<void>
}

/** Serves a memory over HTTP. */
export async function serve(memory: Memory, options: ServeOptions = {}): Promise<Server> {
  checkOptions('serve', options, [
    'host',
    'port',
    'hosts',
    'origins',
    'tls',
    'behindProxy',
    'keyFile',
    'telemetry',
    'limits',
    'log',
  ])
  const { host = '127.0.0.1', port = PORT_DEFAULT, tls, behindProxy = false, limits = {} } = options
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535)
    refuse('serve', 'port', port, 'a number from 0 to 65535')
  if (!isLoopback(host) && tls === undefined && !behindProxy)
    refuse('serve', 'host', host, 'a loopback address, TLS files, or behindProxy where somebody else speaks TLS')
  const key = options.keyFile === undefined ? undefined : await adminKey(memory, options.keyFile)
  const tracer = options.telemetry === true ? await loadTracer() : undefined
  const hosts: string[] = []
  // The port may be chosen by the system, so the list of hosts is complete only once it listens.
  const late: { app?: ReturnType<typeof createApp> } = {}
  const { requestMs, connectionsMax } = { ...limitDefaults, ...limits }
  const server = createAdaptorServer({
    fetch: (request: Request, env: unknown) => late.app?.fetch(request, env) ?? new Response(null, { status: 503 }),
    overrideGlobalObjects: false,
    createServer: (tls === undefined ? createServer : createSecureServer) as typeof createServer,
    serverOptions: {
      requestTimeout: requestMs,
      headersTimeout: Math.min(10_000, requestMs),
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: Math.min(1_000, requestMs),
      maxHeaderSize: 16_384,
      ...(tls === undefined ? {} : { cert: await readFile(tls.cert), key: await readFile(tls.key) }),
    },
  }) as ReturnType<typeof createServer>
  server.maxConnections = connectionsMax
  // A client that takes nothing for that long is gone, or wants to be a burden. Watches write a beat more often.
  server.setTimeout(requestMs, (socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new MemoryError(
          'server/unavailable',
          `Cannot serve on ${host}:${port}: ${error.message}`,
          { host, port },
          error,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  hosts.push(
    ...(isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [shown]).map((name) => `${name}:${bound}`),
    ...(options.hosts ?? []),
  )
  const { origins, log } = options
  late.app = createApp(memory, {
    hosts,
    limits,
    ...(origins === undefined ? {} : { origins }),
    ...(log === undefined ? {} : { log }),
    ...(tracer === undefined ? {} : { tracer }),
  })
  const { app } = late
  const url = `${tls === undefined ? 'http' : 'https'}://${shown}:${bound}`
  return {
    url,
    link: key === undefined ? undefined : `${url}/#key=${key.token}`,
    get readiness() {
      return app.readiness
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await app.drain()
      // What is answered is on its way; what still hangs on now reads nothing.
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 1_000).unref()
      await closed
    },
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
