import { isDeepStrictEqual } from 'node:util'
import { violations } from '../openapi/checked-fetch.ts'
import type { DescribedOperation, DocumentCheck } from '../openapi/document-check.ts'

/** The part of openapi-fetch that is used: a call by method and path, as its `GET` and `POST` make it. */
export interface GeneratedClient {
  request(method: string, path: string, options: object): Promise<Outcome>
}

interface Outcome {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** A request that our own client makes, in the parts that a generated client takes. */
interface Call {
  readonly operation: DescribedOperation
  readonly options: object
  /** A copy to be sent as it is; none if its body is a stream. */
  readonly copy: Request | undefined
}

/**
 * A `fetch` for our own client that sends every request through a generated client, and returns what that client read.
 *
 * Where a request can be repeated without effect, because it only reads or has an `Idempotency-Key`, it is also sent as it is,
 * and both answers must be equal.
 */
export class ThroughGenerated {
  /** How many requests were sent twice and compared, by operation. */
  readonly compared: Map<string, number> = new Map()
  readonly #client: GeneratedClient
  readonly #check: DocumentCheck
  #begun = 0
  #running = 0

  constructor(client: GeneratedClient, check: DocumentCheck) {
    this.#client = client
    this.#check = check
  }

  async fetch(request: Request): Promise<Response> {
    this.#begun++
    this.#running++
    try {
      const call = await this.#callOf(request)
      const outcome = await this.#send(call)
      const streams = outcome.data instanceof ReadableStream
      if (!streams) await this.#compare(call, outcome)
      const { status, headers } = outcome.response
      const body = streams ? (outcome.data as ReadableStream) : JSON.stringify(outcome.data ?? outcome.error)
      return new Response(body, { status, headers: { 'content-type': headers.get('content-type') ?? '' } })
    } finally {
      this.#running--
    }
  }

  #send({ operation, options }: Call): Promise<Outcome> {
    return this.#client.request(operation.method, operation.template, options)
  }

  /** A read may change while it is repeated: others write, and work goes on in the background. So it is tried again. */
  async #compare(call: Call, first: Outcome): Promise<void> {
    const { operation, copy } = call
    if (copy === undefined) return
    let read = first
    for (let attempt = 0; attempt < 5; attempt++) {
      const begun = this.#begun
      const direct = await fetch(copy.clone())
      const expected: unknown = await direct.json()
      if (
        isDeepStrictEqual([read.response.status, lasting(read.data ?? read.error)], [direct.status, lasting(expected)])
      ) {
        this.compared.set(operation.operationId, (this.compared.get(operation.operationId) ?? 0) + 1)
        return
      }
      if (this.#begun !== begun || this.#running > 1) return
      if (operation.method === 'get') read = await this.#send(call)
    }
    violations.push(
      `${operation.operationId}: a generated client gets ${JSON.stringify(read.data ?? read.error).slice(0, 300)}`,
    )
  }

  async #callOf(request: Request): Promise<Call> {
    const url = new URL(request.url)
    const operation = this.#check.find(request.method, url)
    if (operation === undefined) throw new Error(`${request.method} ${url.pathname} is not described`)
    const type = request.headers.get('content-type')
    const isJson = type?.startsWith('application/json') ?? false
    const text = isJson ? await request.clone().text() : undefined
    const { 'idempotency-key': idempotencyKey, ...headers } = Object.fromEntries(request.headers)
    const streams = Object.entries(operation.responses).some(
      ([status, { content }]) => status !== 'default' && content['application/json'] === undefined,
    )
    const options = {
      params: {
        path: pathOf(operation, url),
        query: queryOf(operation, url),
        header: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
      },
      headers,
      signal: request.signal,
      parseAs: streams ? 'stream' : 'json',
      ...(text === undefined ? {} : { body: JSON.parse(text) as unknown }),
      ...(isJson || request.body === null
        ? {}
        : { body: request.body, bodySerializer: (body: unknown) => body, duplex: 'half' }),
    }
    const harmless = request.method === 'GET' || idempotencyKey !== undefined
    const whole = { method: request.method, headers: request.headers, ...(text === undefined ? {} : { body: text }) }
    return { operation, options, copy: harmless && !streams ? new Request(url, whole) : undefined }
  }
}

/**
 * An answer without what is of its moment: the time now, the reasons why nothing was stored, which name ids that were made for
 * the occasion, and warnings that only the call which stored something gives.
 */
function lasting(answer: unknown): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => {
    if (typeof value === 'string' && Math.abs(Date.parse(value) - Date.now()) < 60_000) return 'now'
    if (name === 'details') return undefined
    return name === 'warnings' && Array.isArray(value)
      ? value.filter(({ type }) => !['clock-ahead', 'other-description'].includes(String(type)))
      : value
  })
  return JSON.parse(text) as unknown
}

/** Decoded: a generated client escapes them by itself. */
function pathOf({ address }: DescribedOperation, url: URL): Readonly<Record<string, string>> {
  const groups = Object.entries(address.exec(url.pathname)?.groups ?? {})
  return Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)]))
}

/** Numbers and flags are values; JSON in a query is text to a generated client. */
function queryOf({ parameters = [] }: DescribedOperation, url: URL): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...url.searchParams].map(([name, value]) => {
      const type = parameters.find((parameter) => parameter.name === name)?.schema?.['type']
      return [name, ['integer', 'number', 'boolean'].includes(type as string) ? (JSON.parse(value) as unknown) : value]
    }),
  )
}
