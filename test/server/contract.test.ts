import { afterAll } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import type { OpenSubject } from '../contract/subject.ts'
import { testMemory } from '../contract/test-memory.ts'
import { Subjects } from '../postgres/database.ts'

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

// [http-2] [serve-2] The whole suite through a real port, a real key and the client, on both stores.
testMemory(
  'a memory behind a server',
  behindServer((options) => openMemory(':memory:', options)),
)
testMemory(
  'a memory in PostgreSQL behind a server',
  behindServer((options) => subjects.open(options)),
)

function behindServer(open: OpenSubject): OpenSubject {
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
