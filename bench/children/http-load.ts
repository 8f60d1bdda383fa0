// Sends requests over some connections for some time, each with the next when its answer is read. Raw sockets: a load
// generator that costs as much as the server measures itself.
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

interface Load {
  readonly port: number
  readonly connections: number
  readonly ms: number
  /** Each connection sends them in turn, each beginning with another one. `N` in a path is the number of the connection. */
  readonly requests: readonly {
    readonly name: string
    readonly path: string
    readonly body: string
    readonly method?: 'GET'
  }[]
  readonly token: string
  /** Only counts what is answered 429, and goes on. */
  readonly greedy?: boolean
  /** Between an answer and the next request. */
  readonly pauseMs?: number
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load
const times: { readonly name: string; readonly ms: number }[] = []
const statuses: Record<string, number> = {}
const end = performance.now() + load.ms
await Promise.all(Array.from({ length: load.connections }, (_, connection) => run(connection)))
const byName = Object.fromEntries(
  load.requests.map(({ name }) => [name, summary(times.filter((one) => one.name === name))]),
)
process.stdout.write(`${JSON.stringify({ ...summary(times), statuses, byName })}\n`)

function summary(found: typeof times): { readonly rate: number; readonly p50: number; readonly p99: number } {
  const sorted = found.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { rate: (sorted.length * 1_000) / load.ms, p50: at(0.5), p99: at(0.99) }
}

async function run(connection: number): Promise<void> {
  const requests = load.requests.map(({ name, path, body, method = 'POST' }) => ({
    name,
    bytes: bytesOf(`${method} ${path.replace('N', String(connection))}`, body),
  }))
  const socket = connect(load.port, '127.0.0.1')
  socket.setNoDelay(true)
  const answers = readAnswers(socket)
  for (let turn = connection; performance.now() < end; turn++) {
    const { name, bytes } = requests[turn % requests.length] ?? { name: '', bytes: Buffer.alloc(0) }
    const began = performance.now()
    socket.write(bytes)
    const status = await answers()
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status.startsWith('2')) times.push({ name, ms: performance.now() - began })
    else if (load.greedy !== true) throw new Error(`answered ${status}`)
    if (load.pauseMs !== undefined) await setTimeout(load.pauseMs)
  }
  socket.destroy()
}

function bytesOf(target: string, body: string): Buffer {
  const { port, token } = load
  return Buffer.from(
    `${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** The status of the next answer, when all of it is read. Answers have a length or come in chunks. */
function readAnswers(socket: Socket): () => Promise<string> {
  let text = ''
  let wake: (() => void) | undefined
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1')
    wake?.()
  })
  socket.on('error', () => undefined)
  return async () => {
    for (;;) {
      const head = text.indexOf('\r\n\r\n')
      if (head >= 0) {
        const headers = text.slice(0, head).toLowerCase()
        const length = /content-length: (\d+)/.exec(headers)?.[1]
        const whole = length === undefined ? text.indexOf('0\r\n\r\n', head) + 5 : head + 4 + Number(length)
        if (text.length >= whole && whole > head + 4 - 1 && (length !== undefined || whole > 4)) {
          const status = text.slice(9, 12)
          text = text.slice(whole)
          return status
        }
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}
