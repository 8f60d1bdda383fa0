import { MemoryError } from '../domain/error.ts'
import { type Problem, errorOf } from '../wire/problem.ts'
import { chunksOf } from './chunks-of.ts'
import type { Transport } from './transport.ts'

/** One event of a stream that says something. */
export interface SentEvent {
  readonly event: string
  readonly data: string
}

interface Followed<Item> {
  /** Opens the stream, or opens it again after what has come so far. */
  readonly connect: (stop: AbortSignal) => Promise<Response>
  /** Where the first connection waits for others. @default nowhere */
  readonly first?: (connect: () => Promise<Response>) => Promise<Response>
  /** What an event yields, if anything; notes how far the stream has come. */
  readonly read: (event: SentEvent) => Item | undefined
  readonly signal: AbortSignal | undefined
}

/** Follows server-sent events; a lost connection is opened again. */
export function followEvents<Item>(
  transport: Transport,
  { connect, first: waiting = (open) => open(), read, signal }: Followed<Item>,
): AsyncIterableIterator<Item, undefined> {
  const ended = new AbortController()
  const stop = AbortSignal.any([ended.signal, transport.closing, ...(signal === undefined ? [] : [signal])])
  const open = (): Promise<Response> => connect(stop)
  const first = stop.aborted ? undefined : waiting(open)
  first?.catch(() => undefined) // reported by the first `next`

  async function* follow(): AsyncGenerator<Item, undefined> {
    let opening = first
    while (!stop.aborted && opening !== undefined) {
      try {
        for await (const event of events(await opening)) {
          if (event.event === 'problem') throw errorOf(JSON.parse(event.data) as Problem)
          const item = read(event)
          if (item !== undefined) yield item
        }
      } catch (error) {
        if (stop.aborted) return undefined
        if (MemoryError.is(error)) throw error // what the server said, or tried often enough
      }
      if (stop.aborted) return undefined
      opening = open()
    }
    return undefined
  }
  const items = follow()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => items.next(),
    async return() {
      ended.abort()
      await items.return(undefined)
      return { done: true, value: undefined }
    },
  }
}

/** Each event of a stream; comments keep it alive and say nothing. */
async function* events(response: Response): AsyncGenerator<SentEvent> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of chunksOf(response.body)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data }
    }
  }
}
