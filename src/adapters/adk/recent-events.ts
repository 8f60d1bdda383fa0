import type { Event, GetSessionRequest } from '@google/adk'

/** The events that were asked for: the newest, and of them those from a time on. */
export function recentEvents(
  events: readonly Event[],
  { numRecentEvents = 0, afterTimestamp = 0 }: NonNullable<GetSessionRequest['config']> = {},
): Event[] {
  const newest = numRecentEvents === 0 ? events : events.slice(-numRecentEvents)
  if (afterTimestamp === 0) return [...newest]
  return newest.slice(newest.findLastIndex(({ timestamp }) => timestamp < afterTimestamp) + 1)
}
