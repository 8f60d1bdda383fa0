import type { DescribedOperation, DocumentCheck, SentRequest } from './document-check.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What did not fit the OpenAPI document since it was last looked at: `test/setup.ts` fails the test. */
export const violations: string[] = []

const checks: { current?: Promise<DocumentCheck> } = {}

/**
 * The same `fetch`, with every request to `/v1/…` and its response compared with the OpenAPI document of the server. A request that
 * was refused may be anything; its response must be a problem document.
 */
export function checkedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!url.pathname.startsWith('/v1/')) return fetch(input, init)
    const { sent, passed } = await takeApart(url, input, init)
    const response = await fetch(passed, init)
    // Loaded with the first request: most test files make none.
    checks.current ??= import('./document-check.ts').then((module) => new module.DocumentCheck())
    return examine(await checks.current, sent, response)
  }
}

interface TakenApart {
  readonly sent: SentRequest
  /** What to send: the same, but a stream is looked at on its way. */
  readonly passed: string | URL | Request
}

async function takeApart(url: URL, input: string | URL | Request, init: RequestInit = {}): Promise<TakenApart> {
  if (!(input instanceof Request)) {
    const { method = 'GET', body } = init
    const headers = new Headers(init.headers)
    const text = typeof body === 'string' && !isLines(headers) ? body : undefined
    return { passed: input, sent: { url, method, headers, body: text, lines: [] } }
  }
  const { method, headers } = input
  const lines: string[] = []
  const sent = { url, method, headers, lines }
  if (input.body === null) return { passed: input, sent: { ...sent, body: '' } }
  // Bytes are described as a whole.
  if (headers.get('content-type') === 'application/octet-stream') return { passed: input, sent }
  if (!isLines(headers)) return { passed: input, sent: { ...sent, body: await input.clone().text() } }
  const body = input.body.pipeThrough(eachLine((line) => lines.length < LINES_MAX && lines.push(line)))
  return { passed: new Request(input, { method, body, duplex: 'half' }), sent }
}

/** As many lines of a body are compared: a test may send a million. */
const LINES_MAX = 1_000

function isLines(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/x-ndjson') ?? false
}

async function examine(check: DocumentCheck, sent: SentRequest, response: Response): Promise<Response> {
  const operation = check.find(sent.method, sent.url)
  // No such address. Responses of proxies and of other servers in tests are not ours either.
  if (operation === undefined) return response
  const note = (found: readonly string[]): void => {
    violations.push(...found.map((problem) => `${operation.operationId}: ${problem}`))
  }
  const media = response.headers.get('content-type')?.split(';')[0] ?? ''
  if (response.ok) note(check.request(operation, sent))
  const wrong = check.response(operation, response.status, media)
  note(wrong)
  if (wrong.length > 0) return response
  if (media.endsWith('json') && media !== 'application/x-ndjson') {
    const text = await textOf(response)
    if (text !== undefined) note(check.answer(operation, response.status, media, JSON.parse(text)))
    return response
  }
  return media === 'text/event-stream' || media === 'application/x-ndjson'
    ? streamed(check, operation, response, note)
    : response
}

/** The body, unless the connection is lost on the way: the caller finds out by itself. */
async function textOf(response: Response): Promise<string | undefined> {
  try {
    return await response.clone().text()
  } catch {
    return undefined
  }
}

/** The response with each of its items examined as it passes. */
function streamed(
  check: DocumentCheck,
  operation: DescribedOperation,
  response: Response,
  note: (found: readonly string[]) => void,
): Response {
  const media = response.headers.get('content-type')?.split(';')[0] ?? ''
  let event = 'message'
  const examined = eachLine((line) => {
    if (line.startsWith('event: ')) event = line.slice('event: '.length)
    const item = media === 'text/event-stream' ? eventData(line, event) : line
    if (item !== '') note(check.answer(operation, response.status, media, JSON.parse(item)))
  })
  return new Response(response.body?.pipeThrough(examined) ?? null, response)
}

/** Passes everything on, and every whole line to a function. */
function eachLine(take: (line: string) => unknown): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder()
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    },
    flush() {
      if (rest !== '') take(rest)
    },
  })
}

/** Events that say where a stream begins, or why it ends, are not items of it. */
function eventData(line: string, event: string): string {
  return line.startsWith('data: ') && event !== 'start' && event !== 'problem' ? line.slice('data: '.length) : ''
}
