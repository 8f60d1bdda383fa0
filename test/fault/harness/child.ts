import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Loading our sources costs more than anything a child does: stripped and compiled once, they load four times faster. */
const CACHE = join(tmpdir(), 'daybook-compile-cache')

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Runs as this user: root passes every permission check. */
  readonly uid?: number
}

/** A script of `children/` in a process of its own. It says `ready`, waits for `go`, then answers in lines of JSON. */
export class Child {
  readonly lines: unknown[] = []
  errors = ''
  /** Everything is loaded; it waits for `go`. */
  readonly ready: Promise<void>
  readonly ended: Promise<number | null>
  readonly #process: ChildProcessWithoutNullStreams
  #onLine: (line: unknown) => void = () => undefined

  constructor(script: URL, args: readonly string[], { env = {}, uid }: ChildOptions = {}) {
    this.#process = spawn(process.execPath, [script.pathname, ...args], {
      env: { ...process.env, ...(uid === undefined ? { NODE_COMPILE_CACHE: CACHE } : {}), ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    this.#process.stdin.on('error', () => undefined) // it was killed before it read
    this.#process.stderr.on('data', (data: Buffer) => (this.errors += data.toString()))
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    const lines = createInterface({ input: this.#process.stdout })
    lines.on('line', (text) => (text === 'ready' ? ready.resolve() : this.#take(text)))
    this.ended = Promise.all([once(this.#process, 'exit'), once(lines, 'close')]).then(([[code]]) => {
      ready.resolve()
      return code as number | null
    })
    // A child that could not even begin must fail its test, not let it wait.
    this.ended.catch((error: unknown) => ready.reject(error))
  }

  onLine(listener: (line: unknown) => void): void {
    this.#onLine = listener
  }

  /** Lets it begin, with what it should know. */
  async go(task: unknown = null): Promise<void> {
    await this.ready
    this.#process.stdin.write(`${JSON.stringify(task)}\n`)
  }

  /** Says something to it while it runs. */
  say(word: string): void {
    this.#process.stdin.write(`${word}\n`)
  }

  /** SIGKILL: no handler runs, nothing is flushed. Resolves when all it had said is read. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.ended
  }

  /** Runs it to its end. */
  async run(task: unknown = null): Promise<readonly unknown[]> {
    await this.go(task)
    const code = await this.ended
    if (code !== 0) throw new Error(`Child ended with ${code}: ${this.errors || JSON.stringify(this.lines.slice(-3))}`)
    return this.lines
  }

  #take(text: string): void {
    const line = parse(text)
    if (line === undefined) return
    this.lines.push(line)
    this.#onLine(line)
  }
}

/** Fills the compile cache: only a process that ends by itself writes it. */
export async function warm(script: URL): Promise<void> {
  await new Child(script, ['warm']).run('warm')
}

/** A line that a kill cut short was not said. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
