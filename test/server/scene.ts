import type { MemoryOptions } from '../../src/api/open-memory.ts'
import type { NewKey, Verb } from '../../src/domain/key.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { App, AppOptions } from '../../src/server/create-app.ts'
import { checkedApp } from '../openapi/checked-app.ts'

export const HOST = 'daybook.test'

/** A memory with a server that needs no port, and its keys. */
export interface Scene extends AsyncDisposable {
  readonly memory: Memory
  readonly app: App
  readonly root: NewKey
  key(scope: string | null, can: readonly Verb[]): Promise<NewKey>
  /** Sends a request; a body that is not text is sent as JSON. */
  ask(path: string, options?: Asking): Promise<Response>
}

export interface Asking {
  readonly method?: string
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export async function openScene(
  options: Partial<AppOptions> & { readonly memory?: MemoryOptions } = {},
): Promise<Scene> {
  const { memory: memoryOptions, ...rest } = options
  const memory = await openMemory(':memory:', { learn: false, ...memoryOptions })
  const app = checkedApp(memory, { hosts: [HOST], ...rest })
  const key = (scope: string | null, can: readonly Verb[]): Promise<NewKey> => memory.keys.create({ scope, can })
  const root = await key(null, ['admin'])
  return {
    memory,
    app,
    root,
    key,
    ask: (path, { method, token = root.token, body, headers = {} } = {}) =>
      app.fetch(
        new Request(`http://${HOST}${path}`, {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            host: HOST,
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      ),
    async [Symbol.asyncDispose]() {
      await app.drain(1_000)
      await memory.close()
    },
  }
}
