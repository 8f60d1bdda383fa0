import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** MCP on two streams, a message a line. When its input ends, it answers what it has read, and closes then. */
export class AnsweringTransport extends StdioServerTransport {
  readonly #input: NodeJS.ReadableStream
  /** Requests that have no answer yet. */
  readonly #open = new Set<RequestId>()
  readonly #answered = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  #closing = false
  readonly closed: Promise<void> = this.#closed.promise

  constructor(stdin: NodeJS.ReadableStream, stdout: NodeJS.WritableStream) {
    super(...([stdin, stdout] as unknown as ConstructorParameters<typeof StdioServerTransport>))
    this.#input = stdin
    stdout.once('error', () => this.abandon())
  }

  override start(): Promise<void> {
    const take = this.onmessage
    const onmessage = (message: JSONRPCMessage): void => {
      if (this.#closing) return
      this.#note(message)
      take?.(message)
    }
    Object.assign(this, { onmessage })
    // The last line may have no end.
    this.#input.once('end', () => this.#input.emit('data', Buffer.from('\n')))
    return super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
    }
  }

  override async close(): Promise<void> {
    this.#closing = true
    if (this.#open.size > 0) await this.#answered.promise
    await super.close()
    this.#closed.resolve()
  }

  /** Closes without the answers. */
  abandon(): void {
    this.#open.clear()
    this.#answered.resolve()
    void this.close()
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    // A subscription is answered by notices, and lasts.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#open.add(message.id)
    if (message.method === 'notifications/cancelled') this.#settle(message.params?.['requestId'] as RequestId)
  }

  #settle(id: RequestId): void {
    this.#open.delete(id)
    if (this.#closing && this.#open.size === 0) this.#answered.resolve()
  }
}
