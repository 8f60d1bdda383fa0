import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOperations } from '../surface/messages.ts'
import { fromSegment } from '../wire/segment.ts'
import { answerRoute } from './answer-route.ts'
import { appendMessages } from './append-messages.ts'
import type { Arrived } from './arrived.ts'
import { fromIncoming } from './from-incoming.ts'
import type { Guard } from './guard.ts'
import type { PlainAnswer } from './plain-answer.ts'
import { problemAnswer } from './problem-answer.ts'
import type { Route } from './route.ts'
import type { Service } from './service.ts'

type Names = Readonly<Record<string, string>>

const route: Route = { operation: messageOperations.append, handle: appendMessages }
const PATH = messageOperations.append.path.split('/')
/** Paths whose names are remembered, and the longest of them. */
const REMEMBERED_MAX = 1_000
const REMEMBERED_LENGTH_MAX = 500

/**
 * Serves appends without the framework, which would cost more than the append itself. The checks are those of every other route:
 * host, origin and target here, and key, scope, permission, limits and body in `answerRoute`.
 */
export class AppendDoor {
  readonly #service: Service
  readonly #guard: Guard
  /** Of paths that were asked for: most come again. */
  readonly #names = new Map<string, Names>()

  constructor(service: Service, guard: Guard) {
    this.#service = service
    this.#guard = guard
  }

  /** Serves a request of Node's server. Returns `false` if it is not a plain append: then the framework serves it. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const names = incoming.method === 'POST' ? this.#namesIn(incoming.url ?? '') : undefined
    const request = names === undefined ? undefined : fromIncoming(incoming)
    if (names === undefined || request === undefined) return false
    this.#answer(request, names)
      .then(({ status, headers, body }) => {
        outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
        return outgoing.end(body)
      })
      .catch(() => outgoing.destroy())
    return true
  }

  /** The same for a request of the Fetch API. */
  fetch(request: Arrived): Promise<Response> | undefined {
    const names = request.method === 'POST' ? this.#namesIn(request.url.replace(/^https?:\/\/[^/]*/, '')) : undefined
    return names && this.#answer(request, names).then(({ body, ...head }) => new Response(body, head))
  }

  async #answer(request: Arrived, names: Names): Promise<PlainAnswer> {
    try {
      this.#guard.check(request.headers, undefined)
    } catch (error) {
      return problemAnswer(error)
    }
    // An append is never streamed.
    const answer = (await answerRoute(this.#service, route, request, names)) as PlainAnswer
    return { ...answer, headers: { ...answer.headers, ...this.#guard.headersFor(request.headers) } }
  }

  #namesIn(path: string): Names | undefined {
    const known = this.#names.get(path)
    if (known !== undefined) return known
    const names = namesIn(path)
    if (names === undefined || path.length > REMEMBERED_LENGTH_MAX) return names
    if (this.#names.size >= REMEMBERED_MAX) this.#names.clear()
    this.#names.set(path, names)
    return names
  }
}

/** The names in the path of an append. `undefined` if the path is another one, or if a URL parser would change it. */
function namesIn(path: string): Names | undefined {
  const segments = path.split('/')
  if (segments.length !== PATH.length) return undefined
  const names: Record<string, string> = {}
  for (const [at, wanted] of PATH.entries()) {
    const segment = segments[at] ?? ''
    if (!wanted.startsWith('{')) {
      if (segment !== wanted) return undefined
      continue
    }
    const name = decoded(segment)
    if (name === undefined || name === '' || name === '.' || name === '..') return undefined
    names[wanted.slice(1, -1)] = fromSegment(name)
  }
  return names
}

function decoded(segment: string): string | undefined {
  try {
    return /^[\w.~%!'()*:@$&+,;=-]+$/.test(segment) ? decodeURIComponent(segment) : undefined
  } catch {
    return undefined
  }
}
