import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { type MemoryOptions, openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import { testMemory } from '../../src/testing/index.ts'

// [http-2] [serve-2] The whole suite through a real port, a real key and the client.
testMemory('a memory behind a server', openBehindServer)

async function openBehindServer(options?: MemoryOptions): Promise<Memory> {
  const memory = await openMemory(':memory:', options)
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
