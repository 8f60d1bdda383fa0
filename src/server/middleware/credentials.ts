/** Cookies are shared by all ports of a host, so each server has a cookie of its own. */
export function cookieName(headers: Pick<Headers, 'get'>): string {
  const port = /:(\d+)$/.exec(headers.get('host') ?? '')?.[1] ?? 'default'
  return `daybook-${port}`
}

/**
 * The credentials of a request as an `Authorization` header has them: the header itself, or the inspector's cookie. The cookie counts
 * only for requests that the browser says come from a page of this server, so that no other page can use it.
 */
export function credentialsOf(headers: Pick<Headers, 'get'>): string | null {
  const header = headers.get('authorization')
  if (header !== null || headers.get('sec-fetch-site') !== 'same-origin') return header
  const start = `${cookieName(headers)}=`
  const found = headers
    .get('cookie')
    ?.split('; ')
    .find((pair) => pair.startsWith(start))
  return found === undefined ? null : `Bearer ${found.slice(start.length)}`
}
