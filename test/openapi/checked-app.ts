import type { Memory } from '../../src/api/memory.ts'
import { type App, type AppOptions, createApp } from '../../src/server/create-app.ts'
import { checkedFetch } from './checked-fetch.ts'

/** A server without a port whose requests and responses are compared with its OpenAPI document. */
export function checkedApp(memory: Memory, options: AppOptions): App {
  const app = createApp(memory, options)
  const fetch = checkedFetch((request) => app.fetch(request as Request))
  return {
    fetch: (request) => fetch(request),
    get readiness() {
      return app.readiness
    },
    append: (incoming, outgoing) => app.append(incoming, outgoing),
    drain: (timeoutMs) => app.drain(timeoutMs),
  }
}
