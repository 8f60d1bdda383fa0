import { type Socket, connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** What becomes of a piece on its way: it passes, or the connection is cut after so many of its bytes. */
export type Fate = 'pass' | { readonly cutAfter: number }

export interface Proxy extends AsyncDisposable {
  /** The address of the server, through the proxy. */
  through(url: string): string
  /** How many connections were cut. */
  readonly cuts: () => number
  /** Ends all connections and takes no more until opened again. */
  shut(): void
  reopen(): void
}

/** Stands between a client and the server, and cuts connections at any byte. */
export async function startProxy(
  port: number,
  fate: (piece: Buffer, from: 'client' | 'server') => Fate,
): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  let open = true
  const server = createServer((client) => {
    if (!open) {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(port, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const [from, to, side] of [
      [client, upstream, 'client'],
      [upstream, client, 'server'],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', end)
      from.on('close', () => {
        sockets.delete(from)
        end()
      })
      from.on('data', (piece: Buffer) => {
        const what = fate(piece, side)
        if (what === 'pass') {
          to.write(piece)
          return
        }
        cuts += 1
        // What was passed on arrives before the end does.
        to.write(piece.subarray(0, what.cutAfter), () => {
          to.end()
          from.destroy()
        })
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const shut = (): void => {
    open = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    through: (url) => {
      const other = new URL(url)
      other.hostname = '127.0.0.1'
      other.port = String((server.address() as AddressInfo).port)
      return other.href
    },
    cuts: () => cuts,
    shut,
    reopen: () => {
      open = true
    },
    [Symbol.asyncDispose]: async () => {
      shut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
