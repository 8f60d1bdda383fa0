import { type Signal, signal } from '@preact/signals'

/** An error of the server, or of the way to it, with what the page shows. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  /** The code of the server's error; `offline` if there was no response. */
  readonly code: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, status = 0, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
  }
}

export interface ConnectionState {
  readonly lost: boolean
  /** When it was lost, and when the page tries again. */
  readonly since: number
  readonly retryAt: number
}

/** Whether the server responds. While it does not, the page keeps what it has and tries again. */
export const connection: Signal<ConnectionState> = signal({ lost: false, since: 0, retryAt: 0 })

/** Rises when everything should be read again: after a write, and when the server is back. */
export const edition: Signal<number> = signal(0)

/** Whether the key was refused: then the page asks for another. */
export const refused: Signal<boolean> = signal(false)

/** Where the cookie is not sent, as in a frame of another site, the key stays here and nowhere else. */
const held: { token?: string } = {}

export function holdToken(token: string | undefined): void {
  if (token === undefined) delete held.token
  else held.token = token
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Sends one request and returns its JSON. @throws {RequestFailure} */
export async function request<Result>(path: string, options: RequestOptions = {}): Promise<Result> {
  return (await exchange<Result>(path, options)).data
}

/** The same, with the headers of the response. @throws {RequestFailure} */
export async function exchange<Result>(
  path: string,
  { method, body, headers = {}, signal: ended }: RequestOptions,
): Promise<{ readonly data: Result; readonly headers: Headers }> {
  const response = await respond(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(ended === undefined ? {} : { signal: ended }),
  })
  return { data: ((await response.json().catch(() => ({}))) ?? {}) as Result, headers: response.headers }
}

/** Reads a file as a whole, with the key. @throws {RequestFailure} */
export async function requestFile(path: string): Promise<Blob> {
  return (await respond(path, { method: 'GET' })).blob()
}

/** Sends a file and returns each line of the response as it comes. @throws {RequestFailure} */
export async function* upload<Line>(path: string, file: Blob, type: string): AsyncGenerator<Line> {
  const response = await respond(path, { method: 'POST', headers: { 'content-type': type }, body: file })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Line
}

/** Sends a request with the key, and reads why it failed. @throws {RequestFailure} */
async function respond(path: string, options: RequestInit): Promise<Response> {
  const response = await send(path, {
    ...options,
    headers: {
      ...(held.token === undefined ? {} : { authorization: `Bearer ${held.token}` }),
      ...(options.headers as Readonly<Record<string, string>> | undefined),
    },
  })
  if (response.ok) return response
  if (response.status === 401) refused.value = true
  const found = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
  const { code = 'server/failed', detail = `The server responded with ${response.status}`, details = {} } = found
  throw new RequestFailure(String(code), String(detail), response.status, details as Record<string, unknown>)
}

/** Sends something that changes the memory; then everything that is shown is read again. @throws {RequestFailure} */
export async function sendWrite<Result>(path: string, options: RequestOptions): Promise<Result> {
  const result = await request<Result>(path, options)
  edition.value += 1
  return result
}

async function send(path: string, options: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, { ...options, credentials: 'same-origin', redirect: 'error' })
    // Restarting: it listens, and is not ready.
    if (response.status === 503) noticeLoss()
    return response
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    noticeLoss()
    throw new RequestFailure('offline', 'The server does not respond')
  }
}

/** Something broke off: finds out whether the server is away, or the key is refused. */
export async function noticeTrouble(): Promise<void> {
  await request('/sign-in').catch(() => undefined)
}

const PAUSE_FIRST_MS = 1_000
const PAUSE_MAX_MS = 8_000

function noticeLoss(): void {
  if (connection.value.lost) return
  connection.value = { lost: true, since: Date.now(), retryAt: Date.now() + PAUSE_FIRST_MS }
  void keepTrying(PAUSE_FIRST_MS)
}

/** Ends the pause before the next try. */
const waiting: { end?: () => void } = {}

export function tryNow(): void {
  waiting.end?.()
}

async function keepTrying(pause: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pause)
    waiting.end = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  const ready = await fetch('/readyz').then(
    ({ ok }) => ok,
    () => false,
  )
  if (ready) {
    connection.value = { lost: false, since: 0, retryAt: 0 }
    edition.value += 1
    return
  }
  const next = Math.min(PAUSE_MAX_MS, pause * 2)
  connection.value = { ...connection.value, retryAt: Date.now() + next }
  await keepTrying(next)
}
