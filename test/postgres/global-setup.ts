import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Server, serverBinaries, startServer } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where a test file asks for the server that all share. It is started when the first one asks. */
    readonly postgres: string
  }
}

/** What a test file is told: an address with all rights, or that there is only PGlite. */
export type Found = { readonly url: string } | { readonly error: string } | 'pglite'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Server> | undefined
  const find = async (): Promise<Found> => {
    const given = process.env['DATABASE_URL']
    if (given !== undefined && given !== '') return { url: given }
    // `DAYBOOK_POSTGRES=pglite` asks for PGlite where there is a server too; `server` takes nothing else.
    if (serverBinaries() === undefined || process.env['DAYBOOK_POSTGRES'] === 'pglite') {
      if (process.env['DAYBOOK_POSTGRES'] === 'server')
        return { error: 'Cannot test on PostgreSQL: no DATABASE_URL and no PostgreSQL on this machine' }
      console.warn('PostgreSQL: no DATABASE_URL and no server on this machine, so PGlite serves for the contract suite')
      return 'pglite'
    }
    server ??= startServer()
    return server.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ error: String(error) }),
    )
  }
  const desk = createServer((_, response) => {
    void find().then((found) => response.end(JSON.stringify(found)))
  })
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve))
  project.provide('postgres', `http://127.0.0.1:${(desk.address() as AddressInfo).port}`)
  return async () => {
    desk.closeAllConnections()
    desk.close()
    await (await server?.catch(() => undefined))?.stop()
  }
}
