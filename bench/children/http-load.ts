// Sends requests over some connections for some time, each with the next when its answer is read. Raw sockets: a load
// generator that costs as much as the server measures itself.
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

interface Load {
  readonly port: number
  readonly connections: number
  readonly ms: number
  readonly path: string
  readonly body: string
  readonly token: string
  /** Only counts what is answered 429, and goes on. */
  readonly greedy?: boolean
  /** Between an answer and the next request. */
  readonly pauseMs?: number
}

const load = JSON.parse(process.argv[2] ?? '{}') as Load
const request = Buffer.from(
  `POST ${load.path} HTTP/1.1\r\nHost: 127.0.0.1:${load.port}\r\nAuthorization: Bearer ${load.token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(load.body)}\r\n\r\n${load.body}`,
)
const times: number[] = []
const statuses: Record<string, number> = {}
const end = performance.now() + load.ms
await Promise.all(Array.from({ length: load.connections }, () => run()))
times.sort((a, b) => a - b)
const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
process.stdout.write(
  `${JSON.stringify({ rate: (times.length * 1_000) / load.ms, p50: at(0.5), p99: at(0.99), statuses })}\n`,
)

async function run(): Promise<void> {
  const socket = connect(load.port, '127.0.0.1')
  socket.setNoDelay(true)
  const answers = readAnswers(socket)
  while (performance.now() < end) {
    const began = performance.now()
    socket.write(request)
    const status = await answers()
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status.startsWith('2')) times.push(performance.now() - began)
    else if (load.greedy !== true) throw new Error(`answered ${status}`)
    if (load.pauseMs !== undefined) await setTimeout(load.pauseMs)
  }
  socket.destroy()
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
