import { createHash } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Changed } from '../../api/changes.ts'
import type { ProxyOptions } from '../../api/proxy.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import { field, isObject, stringOf } from '../../dialects/canonical/json.ts'
import { type ErrorCode, MemoryError } from '../../domain/error.ts'
import { WorkQueues } from '../../domain/work-queues.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { checkCall } from '../../surface/check-call.ts'
import { proxyCall } from '../../surface/proxy.ts'
import { KeptResponses } from './kept-responses.ts'
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
/** The statuses of errors that are the caller's. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = { 'input/too-large': 413, 'input/invalid': 400 }
const BODY_BYTES_MAX = 64 * 1024 * 1024
const ADDRESSES = { openai: 'https://api.openai.com', anthropic: 'https://api.anthropic.com' } as const

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
  checkCall(proxyCall, options)
  const { host = '127.0.0.1', port = 3_774 } = options
  const responses = new KeptResponses(scope)
  const front: Front = { scope, options, turns: new WorkQueues(), responses }
  const server = createServer((request, response) => {
    handle(front, request, response).catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  responses.sweep()
  const close = async (): Promise<void> => {
    await closed(server)
    await responses.swept()
  }
  return { url: `http://${host}:${taken}`, close }
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
  readonly responses: KeptResponses
}

/** A request with a conversation. */
interface Exchange extends Front {
  readonly session: Session
  readonly provider: ProxiedProvider
  readonly body: JSONObject
  /** If the provider keeps the messages before those of the request: the position that they come after, or `end`. */
  readonly after?: number | 'end'
}

async function handle(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, turns } = front
  // A web page that somebody visits may not use it.
  if (request.headers.origin !== undefined) return refuse(response, 403, 'Requests of web pages are not allowed')
  const url = new URL(request.url ?? '/', 'http://proxy')
  const provider = proxiedProviders.find(({ path }) => path.test(url.pathname))
  const isAnthropic = provider?.name === 'anthropic' || request.headers['anthropic-version'] !== undefined
  const name = isAnthropic ? 'anthropic' : 'openai'
  const sent = await bodyOf(request)
  const body = request.method === 'POST' && provider?.name === name ? parsed(sent) : undefined
  const exchange =
    body === undefined || provider === undefined ? undefined : await exchangeOf(front, request, { provider, body })
  const recorded = exchange && (await turns.run(exchange.session.id, () => record(exchange)))
  const text = recorded?.text ?? sent
  const address = addressOf(options[name] ?? ADDRESSES[name], url)
  const answer = await fetch(address, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    redirect: 'manual',
    ...(text.length === 0 ? {} : { body: text }),
  })
  if (exchange === undefined || recorded === undefined || !answer.ok) return passOn(answer, response)
  await passOn(answer, response, async (values) => {
    const turn = turns.run(exchange.session.id, () => recordReply(exchange, recorded, values))
    await turn.catch((error: unknown) => options.onError?.(error))
  })
}

/** An address may be given with or without the version that is in the path of each request. */
function addressOf(base: string, { pathname, search }: URL): string {
  const bare = base.replace(/\/+$/, '')
  return `${pathname.startsWith('/v1/') ? bare.replace(/\/v1$/, '') : bare}${pathname}${search}`
}

/** Which session a request is of: the one that a header names, the one that has the response that it goes on from, or one by its beginning. */
async function exchangeOf(
  front: Front,
  request: IncomingMessage,
  { provider, body }: Pick<Exchange, 'provider' | 'body'>,
): Promise<Exchange> {
  const { scope, responses } = front
  const named = request.headers[SESSION]
  const header = typeof named === 'string' && named !== '' ? named : undefined
  const before = provider.dialect === 'openai-responses' ? await keptBefore(responses, body) : undefined
  const id = header ?? before?.session ?? beginningOf(provider, body)
  const session = scope.session(id)
  if (before === undefined) return { ...front, session, provider, body }
  return { ...front, session, provider, body, after: (before.session === id ? before.seq : undefined) ?? 'end' }
}

/** Where the messages are that the provider has and a request does not: after the response that it names, or of its conversation. */
async function keptBefore(
  responses: KeptResponses,
  body: JSONObject,
): Promise<{ readonly session: string; readonly seq?: number } | undefined> {
  const previous = stringOf(body['previous_response_id'])
  if (previous !== undefined) {
    return (await responses.find(nameOf(previous))) ?? { session: `proxy-${nameOf(previous)}` }
  }
  const conversation = body['conversation']
  const id = stringOf(conversation) ?? stringOf(field(conversation, 'id'))
  return id === undefined ? undefined : { session: `proxy-${nameOf(id)}` }
}

/** An id of the provider, or its hash if it is not what ids look like. */
function nameOf(id: string): string {
  return /^[\w-]{1,128}$/.test(id) ? id : hashOf(id)
}

/** What was stored of a request. */
interface Recorded {
  /** The request to send; as it came, if there is none. */
  readonly text?: Buffer
  readonly messages: readonly NewMessage[]
  /** The ids of those that are new in the log. */
  readonly added: readonly string[]
  /** The version of the session's log with this conversation in it. */
  readonly version: number
}

/** Stores the conversation of a request, and fits it into the budget. In the session's turn: meanwhile no other request changes it. */
async function record(exchange: Exchange): Promise<Recorded | undefined> {
  const { session, provider, body, after, options } = exchange
  let recorded: Recorded
  try {
    const messages = await provider.messages(body, () => session.recent(Number.MAX_SAFE_INTEGER))
    const said = messages.filter(({ role }) => role !== 'system')
    if (typeof after === 'number') {
      const { messages: added, version } = await goOn(session, after, said)
      recorded = { messages, added: added.map(({ id }) => id), version }
    } else {
      const { appended, version } = await (after === 'end'
        ? session.sync(said)
        : session.sync(messages, { complete: true }))
      recorded = { messages, added: appended.map(({ id }) => id), version }
    }
  } catch (error) {
    // Not a conversation: the provider says so in its own words.
    if (MemoryError.is(error, 'input/invalid') || MemoryError.is(error, 'dialect/unreadable')) return undefined
    throw error
  }
  const { budget } = options
  // What the provider keeps cannot be fitted here.
  if (after !== undefined || budget === undefined || (await session.stats()).tokens <= budget) return recorded
  const context = await session.context({ budget, model: stringOf(body['model']) ?? 'unknown' })
  const fitted = provider.withTranscript(body, context.as(provider.dialect))
  return { ...recorded, text: Buffer.from(JSON.stringify(fitted)) }
}

/** Makes these messages follow a position: what was said after it in another try leaves the window. A retry changes nothing. */
async function goOn(session: Session, after: number, said: readonly NewMessage[]): Promise<Changed> {
  const live = await session.recent(Number.MAX_SAFE_INTEGER)
  const later = live.filter(({ seq, role }) => seq > after && role !== 'system')
  const isRetry = later.length <= said.length && later.every((one, at) => isSame(one, said[at]))
  return session.change([
    ...(isRetry ? [] : later.map(({ id }) => ({ type: 'remove' as const, id }))),
    { type: 'append', messages: isRetry ? said.slice(later.length) : said },
  ])
}

function isSame({ role, parts }: Message, given: NewMessage | undefined): boolean {
  return given?.role === role && JSON.stringify(parts) === JSON.stringify(given.parts)
}

/** Stores a reply after its own conversation. In the session's turn. */
async function recordReply(exchange: Exchange, recorded: Recorded, values: readonly JSONValue[]): Promise<void> {
  const { responses, session, provider } = exchange
  const reply = provider.reply(values)
  if (reply.messages.length === 0) return
  // Another request of the session may have been stored meanwhile, maybe with another conversation.
  if ((await session.stats()).version === recorded.version) await session.append(reply.messages)
  else await recordAgain(exchange, recorded, reply.messages)
  if (reply.id === undefined) return
  await responses.keep(nameOf(reply.id), { session: session.id, seq: (await session.change([])).lastSeq })
}

/** Stores the messages of a request again, with their reply: another request came between them. */
async function recordAgain(
  { session, after }: Exchange,
  { messages, added }: Recorded,
  reply: readonly NewMessage[],
): Promise<void> {
  if (after === undefined) {
    await session.sync([...messages, ...reply], { complete: true })
    return
  }
  const said = messages.filter(({ role }) => role !== 'system').map(withoutId)
  if (after !== 'end') {
    await goOn(session, after, [...said, ...reply])
    return
  }
  const live = await session.recent(Number.MAX_SAFE_INTEGER)
  const own = live.filter(({ id }) => added.includes(id))
  await session.change([
    ...own.map(({ id }) => ({ type: 'remove' as const, id })),
    { type: 'append', messages: [...said.slice(said.length - added.length), ...reply] },
  ])
}

/** The log already has a message with this id. */
function withoutId(message: NewMessage): NewMessage {
  const { id: _, ...rest } = message
  return rest
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
  try {
    for await (const piece of answer.body ?? []) {
      if (store !== undefined) pieces.push(piece)
      if (!response.destroyed && !response.write(piece)) await drained(response)
    }
  } finally {
    // Also if the connection broke: what came is what the client has seen.
    const text = Buffer.concat(pieces).toString('utf8')
    await store?.(readReply(answer.headers.get('content-type') ?? '', text))
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'close'] as const) response.once(event, () => resolve())
  })
}

/** The session of all conversations with this beginning: up to the first message of the user. */
function beginningOf({ opening }: ProxiedProvider, body: JSONObject): string {
  const [instructions, items] = opening(body)
  const first = items.findIndex((item) => isObject(item) && item['role'] === 'user')
  const beginning = [instructions, items.slice(0, first + 1)]
  return `proxy-${hashOf(JSON.stringify(beginning))}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
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
  else if (MemoryError.is(error)) refuse(response, STATUSES[error.code] ?? 500, error.message)
  else refuse(response, 502, `Cannot reach the provider: ${error instanceof Error ? error.message : String(error)}`)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { type: 'daybook_proxy', message } }))
}
