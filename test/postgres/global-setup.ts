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

let server: Promise<Server> | undefined
let told = false
let desk: ReturnType<typeof createServer> | undefined

export async function setup(project: TestProject): Promise<void> {
  const find = async (): Promise<Found> => {
    const given = process.env['DATABASE_URL']
    if (given !== undefined && given !== '') return { url: given }
    // `DAYBOOK_POSTGRES=pglite` asks for PGlite where there is a server too; `server` takes nothing else.
    if (serverBinaries() === undefined || process.env['DAYBOOK_POSTGRES'] === 'pglite') {
      if (process.env['DAYBOOK_POSTGRES'] === 'server')
        return { error: 'Cannot test on PostgreSQL: no DATABASE_URL and no PostgreSQL on this machine' }
      if (!told)
        console.warn('PostgreSQL: no DATABASE_URL and no server to start, so PGlite serves for the contract suite')
      told = true
      return 'pglite'
    }
    server ??= startServer()
    return server.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ error: String(error) }),
    )
  }
  const opened = createServer((_, response) => {
    void find().then((found) => response.end(JSON.stringify(found)))
  })
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  project.provide('postgres', `http://127.0.0.1:${(opened.address() as AddressInfo).port}`)
  desk = opened
}

export async function teardown(): Promise<void> {
  desk?.closeAllConnections()
  desk?.close()
  await (await server?.catch(() => undefined))?.stop()
}
