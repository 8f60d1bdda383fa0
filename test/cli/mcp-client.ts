import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { MAIN, cleanEnv } from './harness.ts'

export interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export interface HostOptions {
  readonly command?: string
  /** What comes before the words. @default the command line of this repository, and `mcp` */
  readonly before?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** The host's side of a conversation over MCP: a real process, one JSON-RPC message per line. */
export class Host implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #ended: Promise<number | null>
  #last = 0
  errors = ''
  /** Lines that are not JSON-RPC: there must be none. */
  readonly strange: string[] = []

  /** Notifications that the server sent. */
  readonly notices: Reply[] = []

  constructor(
    words: readonly string[],
    { command = process.execPath, before = [MAIN, 'mcp'], env, cwd }: HostOptions = {},
  ) {
    this.#child = spawn(command, [...before, ...words], { env: cleanEnv(env), ...(cwd === undefined ? {} : { cwd }) })
    this.#child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()))
    this.#child.stdin.on('error', () => undefined) // it may be gone
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', (status) => {
        for (const settle of this.#waiting.values()) settle({ error: { code: 0, message: `ended: ${this.errors}` } })
        resolve(status)
      })
    })
    createInterface(this.#child.stdout).on('line', (line) => this.#hear(line))
  }

  #hear(line: string): void {
    try {
      const reply = JSON.parse(line) as Reply & { readonly jsonrpc?: string }
      if (reply.jsonrpc !== '2.0') throw new Error('not JSON-RPC')
      if (reply.id === undefined) this.notices.push(reply)
      else this.#waiting.get(reply.id)?.(reply)
    } catch {
      this.strange.push(line)
    }
  }

  write(line: string | Buffer): void {
    this.#child.stdin.write(line)
  }

  ask(method: string, params?: unknown): Promise<Reply> {
    const id = ++this.#last
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve))
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })}\n`)
    return reply
  }

  async greet(): Promise<Reply> {
    const clientInfo = { name: 'test', version: '1' }
    const greeted = await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    return greeted
  }

  async use(name: string, input: unknown = {}): Promise<Result> {
    const { result, error } = await this.ask('tools/call', { name, arguments: input })
    expect(error).toBeUndefined()
    return result as Result
  }

  async value(name: string, input: unknown = {}): Promise<unknown> {
    const { structuredContent, isError, content } = await this.use(name, input)
    expect(isError, content[0]?.text).toBeUndefined()
    return structuredContent
  }

  /** Ends as a host does: it closes the pipe. */
  end(): Promise<number | null> {
    this.#child.stdin.end()
    return this.#ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill()
    await this.#ended
  }
}
