import { defined } from '../domain/defined.ts'
import { MemoryError } from '../domain/error.ts'
import { uuid7Maker } from '../domain/uuid7.ts'
import { encode } from '../wire/encode.ts'
import type { Operation } from '../surface/operation.ts'
import { textParameters } from '../surface/request-fields.ts'
import { type Problem, errorOf } from '../wire/problem.ts'
import { fillPath } from '../wire/segment.ts'

/** Together about six seconds: as long as a server needs to start again. */
const PAUSES_MS = [20, 50, 100, 200, 400, 800, 1_500, 3_000]

export interface TransportOptions {
  readonly key: string
  /** @default the global one */
  readonly fetch?: (request: Request) => Promise<Response>
  /** How long to wait before each further try, after a lost connection or a refusal that passes. @default 6 s in eight steps */
  readonly retryPausesMs?: readonly number[]
}

export interface Sending {
  readonly names?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

type Read<Answer> = (response: Response) => Promise<Answer>

/**
 * Sends calls. Each write has an `Idempotency-Key`, so one whose answer was lost is sent again and done once; reads are
 * sent again as they are.
 */
export class Transport {
  readonly #base: string
  readonly #key: string
  readonly #fetch: (request: Request) => Promise<Response>
  readonly #pauses: readonly number[]
  readonly #open = new Set<Promise<unknown>>()
  readonly #newKey = uuid7Maker(Date.now, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  readonly #closing = new AbortController()

  constructor(url: string, { key, fetch = globalThis.fetch, retryPausesMs = PAUSES_MS }: TransportOptions) {
    this.#pauses = retryPausesMs
    this.#base = url.replace(/\/+$/, '')
    this.#key = key
    this.#fetch = (request) => fetch(request)
  }

  /** Aborts when the memory is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  checkOpen(): void {
    if (this.#closing.signal.aborted)
      throw new MemoryError('store/closed', 'Cannot use this memory: it was closed, open another', {})
  }

  /** The answer's value. @throws {MemoryError} what the server's library threw. */
  async call<Answer>(operation: Operation, sending: Sending = {}): Promise<Answer> {
    this.checkOpen()
    const work = this.#send(operation, sending, (response) => response.json() as Promise<Answer>)
    this.#open.add(work)
    try {
      return await work
    } finally {
      this.#open.delete(work)
    }
  }

  /** Sends a body as it is read. Tried once: what was read of it is gone. */
  async upload<Answer>(
    operation: Operation,
    { names = {}, query }: Sending,
    source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  ): Promise<Answer> {
    this.checkOpen()
    let failure: unknown
    const pieces = encoded(source, (error) => (failure = error))
    const body = canStream() ? streamOf(pieces) : await collect(pieces)
    const init: RequestInit = {
      method: operation.method.toUpperCase(),
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    }
    const url = `${this.#base}${fillPath(operation.path, names)}${search(query, textParameters(operation))}`
    const read: Read<Answer> = (response) => response.json() as Promise<Answer>
    const work = this.#attempt(read, url, init)
    this.#open.add(work)
    const outcome = await work.finally(() => this.#open.delete(work))
    // Whoever gave the pieces failed, not the connection.
    if (failure !== undefined) throw failure
    if (MemoryError.is(outcome)) throw outcome
    return outcome
  }

  /** The response, once there is one that is not an error. */
  send(operation: Operation, sending: Sending): Promise<Response> {
    return this.#send(operation, sending, async (response) => response)
  }

  async #send<Answer>(operation: Operation, sending: Sending, read: Read<Answer>): Promise<Answer> {
    const body = sending.body === undefined ? undefined : encode(sending.body)
    const url = `${this.#base}${fillPath(operation.path, sending.names ?? {})}${search(sending.query, textParameters(operation))}`
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(operation.writes ? { 'idempotency-key': asHeader(sending.idempotencyKey ?? this.#newKey()) } : {}),
      ...sending.headers,
    }
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(read, url, {
        method: operation.method.toUpperCase(),
        headers,
        ...defined({ body, signal: sending.signal }),
      })
      if (!MemoryError.is(outcome)) return outcome
      const pause = this.#pauses[attempt]
      if (pause === undefined || !mayRetry(outcome) || sending.signal?.aborted === true) throw outcome
      await waitMs(Math.max(pause, Number(outcome.details['retryAfter'] ?? 0) * 1_000))
    }
  }

  /** A connection that is lost in the middle of an answer is lost like any other. */
  async #attempt<Answer>(read: Read<Answer>, url: string, init: RequestInit): Promise<Answer | MemoryError> {
    let response: Response
    try {
      response = await this.#fetch(new Request(url, init))
      if (response.ok) return await read(response)
    } catch (error) {
      return new MemoryError(
        'server/unavailable',
        `Cannot reach ${new URL(url).origin}: the connection failed`,
        {},
        error,
      )
    }
    try {
      const problem = (await response.json()) as Problem
      if (typeof problem.code === 'string') return errorOf(problem)
    } catch {
      // not one of ours: a proxy, or something else on that port
    }
    return new MemoryError(
      'server/unavailable',
      `Cannot use the server: it returned status ${response.status} without an error document. Is this the address of a Daybook server?`,
      {
        status: response.status,
      },
    )
  }

  /** Waits for what was begun. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#open)
  }
}

async function* encoded(
  source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  try {
    for await (const piece of source) yield typeof piece === 'string' ? encoder.encode(piece) : piece
  } catch (error) {
    onError(error)
    throw error
  }
}

/** Whether a body can be sent while it is read. Browsers do that over HTTP/2 only, so they send it whole. */
function canStream(): boolean {
  return 'process' in globalThis
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

async function collect(pieces: AsyncGenerator<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces) all.push(new Uint8Array(piece))
  return new Blob(all)
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

function mayRetry(error: MemoryError): boolean {
  return ['server/unavailable', 'server/overloaded', 'store/busy', 'store/unknown'].includes(error.code)
}

function search(query: object | undefined, text: readonly string[]): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue
    parameters.set(name, text.includes(name) && typeof value === 'string' ? value : encode(value))
  }
  const written = parameters.toString()
  return written === '' ? '' : `?${written}`
}

/** A header takes Latin letters only: what has others is named by its escapes, the same each time. */
function asHeader(value: string): string {
  return /^[\x21-\x7e]+$/.test(value) ? value : encodeURIComponent(value).slice(0, 512)
}
