import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { serve } from '../../src/server/serve.ts'
import type { OpenSubject } from '../contract/subject.ts'

/** Memories behind a server, through a real port, a real key and the client. */
export function behindServer(open: OpenSubject): OpenSubject {
  return async (options) => {
    const memory: Memory = await open(options)
    const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
    const server = await serve(memory, { port: 0 })
    const client = connectMemory(server.url, { key: token })
    const close = async (): Promise<void> => {
      await client.close()
      await server.close()
      await memory.close()
    }
    return { ...client, close, [Symbol.asyncDispose]: close }
  }
}
