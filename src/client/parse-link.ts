import { refuse } from '../domain/refuse.ts'

const ATTEMPT = 'connect to a memory'

/** The address of a server, without its key. */
export interface ServerLink {
  readonly base: string
  readonly key: string
}

/**
 * Reads an address as `daybook serve` prints it, `http://127.0.0.1:3773/#key=dbk_…`. A fragment is never sent to a server; a
 * query is, and proxies and servers log it, so a key is refused there.
 */
export function parseLink(address: unknown, given: unknown): ServerLink {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address) || !URL.canParse(address))
    return refuse(ATTEMPT, 'url', address, 'an http or https address')
  const { origin, pathname, searchParams, search, hash } = new URL(address)
  if (searchParams.has('key'))
    return refuse(
      ATTEMPT,
      'url',
      `${origin}${pathname}?key=…`,
      'the key after #key= or in the option `key`: a query is logged',
    )
  if (search !== '') return refuse(ATTEMPT, 'url', `${origin}${pathname}${search}`, 'an address without parameters')
  const linked = new URLSearchParams(hash.slice(1)).get('key')
  if (linked !== null && given !== undefined && given !== linked)
    return refuse(ATTEMPT, 'key', typeof given, 'the key of the address, or none')
  const key = given ?? linked
  if (typeof key !== 'string' || key === '')
    return refuse(
      ATTEMPT,
      'key',
      key ?? undefined,
      'a key that the server made: in the option `key` (on the command line --key or DAYBOOK_KEY), or after #key= in the address',
    )
  return { base: `${origin}${pathname}`, key }
}
