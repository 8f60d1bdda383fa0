import { createHash } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import { arrayOf, isObject, stringOf } from '../../dialects/canonical/json.ts'
import { checkOptions } from '../../domain/check-options.ts'
import { MemoryError } from '../../domain/error.ts'
import { WorkQueues } from '../../domain/work-queues.ts'
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
  /** The address of an OpenAI-compatible provider, with or without `/v1`. @default 'https://api.openai.com' */
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
  const front: Front = { scope, options, turns: new WorkQueues() }
  const server = createServer((request, response) => {
    handle(front, request, response).catch((error: unknown) => fail(response, error))
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

/** What all requests share. */
interface Front {
  readonly scope: Scope
  readonly options: ProxyOptions
  /** By session: several requests may be of one session, with different conversations. */
  readonly turns: WorkQueues
}

/** A request with a conversation. */
interface Exchange extends Front {
  readonly session: Session
  readonly provider: ProxiedProvider
  readonly body: JSONObject
}

async function handle(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { scope, options, turns } = front
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
  const exchange = body && { ...front, session: scope.session(sessionOf(request, provider, body)), provider, body }
  const recorded = exchange && (await turns.run(exchange.session.id, () => record(exchange)))
  const text = recorded?.text ?? sent
  const address = addressOf(options[name] ?? provider.address, url)
  const answer = await fetch(address, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    redirect: 'manual',
    ...(text.length === 0 ? {} : { body: text }),
  })
  if (exchange === undefined || recorded === undefined || !answer.ok) return passOn(answer, response)
  await passOn(answer, response, async (values) => {
    const turn = turns.run(exchange.session.id, () => recordReply(exchange, recorded.version, values))
    await turn.catch((error: unknown) => options.onError?.(error))
  })
}

/** An address may be given with or without the version that is in the path of each request. */
function addressOf(base: string, { pathname, search }: URL): string {
  const bare = base.replace(/\/+$/, '')
  return `${pathname.startsWith('/v1/') ? bare.replace(/\/v1$/, '') : bare}${pathname}${search}`
}

/** What was stored of a request. */
interface Recorded {
  /** The request to send; as it came, if there is none. */
  readonly text?: Buffer
  /** The version of the session's log with this conversation in it. */
  readonly version: number
}

/** Stores the conversation of a request, and fits it into the budget. In the session's turn: meanwhile no other request changes it. */
async function record({ session, provider, body, options: { budget } }: Exchange): Promise<Recorded | undefined> {
  const { dialect, transcript, withTranscript } = provider
  let version: number
  try {
    ;({ version } = await session.sync(transcript(body), { dialect, complete: true }))
  } catch (error) {
    // Not a conversation: the provider says so in its own words.
    if (MemoryError.is(error, 'input/invalid')) return undefined
    throw error
  }
  if (budget === undefined || (await session.stats()).tokens <= budget) return { version }
  const context = await session.context({ budget, model: stringOf(body['model']) ?? 'unknown' })
  return { version, text: Buffer.from(JSON.stringify(withTranscript(body, context.as(dialect)))) }
}

/** Stores a reply after its own conversation. In the session's turn. */
async function recordReply(
  { session, provider: { dialect, reply, transcript }, body }: Exchange,
  version: number,
  values: readonly JSONValue[],
): Promise<void> {
  const message = reply(values)
  if (message === undefined) return
  if ((await session.stats()).version === version) {
    await session.append([message], { from: dialect })
    return
  }
  // Another request of the session was stored meanwhile, maybe with another conversation.
  const given = transcript(body)
  const whole = isObject(given)
    ? { ...given, messages: [...arrayOf(given['messages']), message] }
    : [...arrayOf(given), message]
  await session.sync(whole, { dialect, complete: true })
}

/** Sends a reply byte for byte, and stores its message before the last byte is sent. A client that went away changes nothing. */
async function passOn(
  answer: Response,
  response: ServerResponse,
  store?: (values: readonly JSONValue[]) => Promise<void>,
): Promise<void> {
  const headers = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name) && name !== 'content-encoding')
  response.writeHead(answer.status, headers.flat())
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body ?? []) {
    if (store !== undefined) pieces.push(piece)
    if (!response.destroyed && !response.write(piece)) await drained(response)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  await store?.(readReply(answer.headers.get('content-type') ?? '', text))
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
