import { MemoryError } from '../../domain/error.ts'

/**
 * Nothing, if the request was meant for this server and does not come from a stranger's page. An exact list of hosts ends DNS
 * rebinding; the origin ends requests that a page makes behind its reader's back.
 *
 * @throws {MemoryError} `access/forbidden`
 */
export function checkOrigin(
  headers: Pick<Headers, 'get'>,
  hosts: ReadonlySet<string>,
  origins: ReadonlySet<string>,
): void {
  const host = headers.get('host')?.toLowerCase() ?? ''
  if (!hosts.has(host))
    throw new MemoryError('access/forbidden', 'Cannot handle the request: its Host is not allowed on this server', {})
  const origin = headers.get('origin')
  if (origin === null || origins.has(origin)) return
  const own = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  if (own === undefined || !hosts.has(own))
    throw new MemoryError('access/forbidden', 'Cannot handle the request: its Origin is not allowed on this server', {})
}

/**
 * The same for a request in absolute form (`GET http://host/path`), whose target names a host of its own.
 *
 * @throws {MemoryError} `access/forbidden`
 */
export function checkTarget(target: string | undefined, hosts: ReadonlySet<string>): void {
  if (target === undefined || target.startsWith('/')) return
  const host = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase()
  if (host === undefined || !hosts.has(host))
    throw new MemoryError('access/forbidden', 'Cannot handle the request: its target is not allowed on this server', {})
}
