import type { ListSessionsRequest, ListSessionsResponse, Session } from '@google/adk'

/** A page of sessions in the order that was asked for, with the figures that ADK's own services return. */
export function pageOf(
  sessions: readonly Session[],
  { limit, offset = 0, page, order }: ListSessionsRequest,
): ListSessionsResponse {
  const sign = order === 'asc' ? 1 : -1
  const all =
    order === undefined
      ? sessions
      : sessions.toSorted((a, b) => sign * (a.lastUpdateTime - b.lastUpdateTime) || a.id.localeCompare(b.id))
  const totalItems = all.length
  if (limit === undefined)
    return { sessions: all.slice(offset), page: 1, limit: totalItems, totalItems, totalPages: totalItems === 0 ? 0 : 1 }
  const from = page === undefined ? offset : (page - 1) * limit
  return {
    sessions: all.slice(from, from + limit),
    page: page ?? (limit === 0 ? 1 : Math.floor(from / limit) + 1),
    limit,
    totalItems,
    totalPages: limit === 0 ? 0 : Math.ceil(totalItems / limit),
  }
}
