/** Addresses of the server's reads and writes, as `/openapi.json` describes them. */
export const endpoints = {
  scopes: (after?: string): string => `/v1/scopes?limit=500${after === undefined ? '' : `&after=${enc(after)}`}`,
  scope: (scope: string, rest: string): string => `/v1/scopes/${enc(scope)}/${rest}`,
  session: (scope: string, session: string, rest: string): string =>
    `/v1/scopes/${enc(scope)}/sessions/${enc(session)}/${rest}`,
} as const

/** A name as one segment of an address. A tilde protects names that every URL parser would rewrite. */
function enc(name: string): string {
  return encodeURIComponent(name === '.' || name === '..' || name.startsWith('~') ? `~${name}` : name)
}

/** The query of a read. Fields without a value are left out; what is not text is JSON. */
export function queryText(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== '')
      query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
