import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from './limits.ts'

/** Of the connections that there may be: from here on, whoever sends no request has less time. */
const CROWDED = 0.75
const CROWDED_MS = 2_000
const SWEEP_MS = 1_000

interface Open {
  readonly socket: Socket
  readonly name: string
  readonly address: string
  /** Since when it has no request; `undefined` while one is answered. */
  idleSince: number | undefined
  /** Requests that are answered; several if they were sent one behind the other. */
  running: number
}

/**
 * Limits how many connections are open, and how many of one address have no request: those that never finish a header, and those
 * that are kept for later. Where there are too many, the one that has been idle longest is closed, so that a new caller gets in.
 */
export function limitConnections(
  server: HttpServer,
  { connectionsMax, idlePerAddress }: Pick<Limits, 'connectionsMax' | 'idlePerAddress'>,
): void {
  // In the order in which they became idle. By address and port, since TLS wraps the socket.
  const all = new Map<string, Open>()
  const idleOf = new Map<string, number>()
  const count = (address: string, by: number): void => {
    const left = (idleOf.get(address) ?? 0) + by
    if (left > 0) idleOf.set(address, left)
    else idleOf.delete(address)
  }
  const closeOldest = (address?: string): boolean => {
    for (const { socket, address: from, idleSince } of all.values())
      if (idleSince !== undefined && !socket.destroyed && (address === undefined || from === address)) {
        socket.destroy()
        return true
      }
    return false
  }
  server.on('connection', (socket) => {
    const [name, address] = [nameOf(socket), socket.remoteAddress ?? '']
    if (all.size >= connectionsMax && !closeOldest()) return void socket.destroy()
    if ((idleOf.get(address) ?? 0) >= idlePerAddress) closeOldest(address)
    const open: Open = { socket, name, address, idleSince: performance.now(), running: 0 }
    all.set(name, open)
    count(address, 1)
    socket.once('close', () => {
      if (all.get(name) !== open) return
      all.delete(name)
      if (open.idleSince !== undefined) count(address, -1)
    })
  })
  const known = new WeakMap<Socket, Open>()
  server.on('request', ({ socket }, response) => {
    const open = known.get(socket) ?? all.get(nameOf(socket))
    if (open === undefined) return
    known.set(socket, open)
    const { name } = open
    open.running += 1
    if (open.idleSince !== undefined) count(open.address, -1)
    open.idleSince = undefined
    response.once('close', () => {
      open.running -= 1
      if (open.running > 0 || all.get(name) !== open) return
      open.idleSince = performance.now()
      count(open.address, 1)
      all.delete(name)
      all.set(name, open)
    })
  })
  const sweep = setInterval(() => {
    if (all.size < connectionsMax * CROWDED) return
    const before = performance.now() - CROWDED_MS
    for (const { socket, idleSince } of all.values())
      if (idleSince !== undefined && idleSince < before) socket.destroy()
  }, SWEEP_MS).unref()
  server.once('close', () => clearInterval(sweep))
}

function nameOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
