import { createHash } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import { isObject, stringOf } from '../../dialects/canonical/json.ts'
import { checkOptions } from '../../domain/check-options.ts'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { type ProxiedProvider, proxiedProviders } from './provider.ts'
import { readReply } from './read-reply.ts'

/** The header that names the session of a request. */
const SESSION = 'x-daybook-session'
/** Headers of one connection, and what changes with the body. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'keep-alive',
  SESSION,
])
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** Where a proxy listens, and what it stands before. */
export interface ProxyOptions {
  /** The address to listen on. @default '127.0.0.1' */
  readonly host?: string
  /** The port; 0 takes any that is free. @default 3774 */
  readonly port?: number
  /** The address of an OpenAI-compatible provider. @default 'https://api.openai.com' */
  readonly openai?: string
  /** The address of an Anthropic-compatible provider. @default 'https://api.anthropic.com' */
  readonly anthropic?: string
  /** Conversations over this many tokens are fitted into it. @default they are sent as they are */
  readonly budget?: number
  /** Called when a reply was sent but could not be stored. @default not reported */
  readonly onError?: (error: unknown) => void
}

/** A proxy that listens. */
export interface Proxy {
  /** Its address. */
  readonly url: string
  /** Stops it, after the requests that have begun. */
  close(): Promise<void>
}

/**
 * Stands between a program and its provider: stores each conversation in a scope, fits it into a budget, and passes everything else
 * on as it is.
 */
export async function proxy(scope: Scope, options: ProxyOptions = {}): Promise<Proxy> {
  checkOptions('start a proxy', options, ['host', 'port', 'openai', 'anthropic', 'budget', 'onError'])
  const { host = '127.0.0.1', port = 3_774 } = options
  const server = createServer((request, response) => {
    handle(scope, options, request, response).catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${host}:${taken}`, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

async function handle(
  scope: Scope,
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A web page that somebody visits may not use it.
  if (request.headers.origin !== undefined) return refuse(response, 403, 'Requests of web pages are not allowed')
  const url = new URL(request.url ?? '/', 'http://proxy')
  const name =
    proxiedProviders.anthropic.path.test(url.pathname) || request.headers['anthropic-version'] !== undefined
      ? 'anthropic'
      : 'openai'
  const provider = proxiedProviders[name]
  const sent = await bodyOf(request)
  const body = request.method === 'POST' && provider.path.test(url.pathname) ? parsed(sent) : undefined
  const session = body === undefined ? undefined : scope.session(sessionOf(request, provider, body))
  const text =
    body === undefined || session === undefined ? sent : await recorded(session, { provider, body, sent, options })
  const address = `${(options[name] ?? provider.address).replace(/\/+$/, '')}${url.pathname}${url.search}`
  const answer = await fetch(address, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    redirect: 'manual',
    ...(text.length === 0 ? {} : { body: text }),
  })
  await passOn(answer, response, { session, provider, options })
}

/** Stores the conversation of a request. Returns the request to send: as it came, if it fits. */
async function recorded(
  session: Session,
  {
    provider,
    body,
    sent,
    options,
  }: { provider: ProxiedProvider; body: JSONObject; sent: Buffer; options: ProxyOptions },
): Promise<Buffer> {
  const { dialect, transcript, withTranscript } = provider
  try {
    await session.sync(transcript(body), { dialect, complete: true })
  } catch (error) {
    // Not a conversation: the provider says so in its own words.
    if (MemoryError.is(error, 'input/invalid')) return sent
    throw error
  }
  const { budget } = options
  if (budget === undefined || (await session.stats()).tokens <= budget) return sent
  const context = await session.context({ budget, model: stringOf(body['model']) ?? 'unknown' })
  return Buffer.from(JSON.stringify(withTranscript(body, context.as(dialect))))
}

/** Sends a reply byte for byte, and stores its message before the last byte is sent. A client that went away changes nothing. */
async function passOn(
  answer: Response,
  response: ServerResponse,
  { session, provider, options }: { session: Session | undefined; provider: ProxiedProvider; options: ProxyOptions },
): Promise<void> {
  const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name) && name !== 'content-encoding')
  response.writeHead(answer.status, headers.flat())
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body ?? []) {
    if (session !== undefined && answer.ok) pieces.push(piece)
    if (!response.destroyed && !response.write(piece)) await drained(response)
  }
  if (session !== undefined && answer.ok) {
    const text = Buffer.concat(pieces).toString('utf8')
    try {
      const reply = provider.reply(readReply(answer.headers.get('content-type') ?? '', text))
      if (reply !== undefined) await session.append([reply], { from: provider.dialect })
    } catch (error) {
      options.onError?.(error)
    }
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'close'] as const) response.once(event, () => resolve())
  })
}

/** The session that a header names, or one for all conversations with this beginning. */
function sessionOf(request: IncomingMessage, { transcript }: ProxiedProvider, body: JSONObject): string {
  const named = request.headers[SESSION]
  if (typeof named === 'string' && named !== '') return named
  const given = transcript(body)
  const messages = (isObject(given) ? given['messages'] : given) as readonly JSONValue[] | undefined
  const all = Array.isArray(messages) ? messages : []
  const first = all.findIndex((message) => isObject(message) && message['role'] === 'user')
  const beginning = [isObject(given) ? (given['system'] ?? null) : null, all.slice(0, first + 1)]
  return `proxy-${createHash('sha256').update(JSON.stringify(beginning)).digest('hex').slice(0, 32)}`
}

function headersOf({ headers }: IncomingMessage): Headers {
  const sent = new Headers({ 'accept-encoding': 'identity' })
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OWN_HEADERS.has(name)) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  return sent
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX)
      throw new MemoryError('input/too-large', 'Cannot pass on a request: it has over 64 MiB', { max: BODY_BYTES_MAX })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parsed(sent: Buffer): JSONObject | undefined {
  try {
    const value = JSON.parse(sent.toString('utf8')) as JSONValue
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else if (MemoryError.is(error)) refuse(response, error.code === 'input/too-large' ? 413 : 500, error.message)
  else refuse(response, 502, `Cannot reach the provider: ${error instanceof Error ? error.message : String(error)}`)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { type: 'daybook_proxy', message } }))
}
