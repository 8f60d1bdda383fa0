import type { ScopesOptions, ScopesPage } from '../api/scopes.ts'
import type { LogStore } from '../ports/log-store.ts'

const SCOPES_PER_PAGE = 100

/** Reads a page of scopes. One row more than asked for shows whether there is another page. */
export async function readScopes(
  log: LogStore,
  { under, limit = SCOPES_PER_PAGE, after }: ScopesOptions,
): Promise<ScopesPage> {
  const rows = await log.scopes(under ?? null, { limit: limit + 1, after })
  const page = rows.slice(0, limit)
  return {
    scopes: page.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt).toISOString() })),
    next: rows.length > limit ? (page.at(-1)?.scope ?? null) : null,
  }
}
