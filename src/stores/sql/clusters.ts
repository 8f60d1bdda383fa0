import type { StoredPlace } from './passages.ts'

/** Places of one thread that lie close together, in order. */
export function clusters(places: readonly StoredPlace[], gap: number): readonly (readonly StoredPlace[])[] {
  const all: StoredPlace[][] = []
  for (const place of places.toSorted((a, b) => a.thread - b.thread || a.place - b.place)) {
    const last = all.at(-1)?.at(-1)
    if (last !== undefined && last.thread === place.thread && place.place - last.place <= gap) {
      if (place.place !== last.place) all.at(-1)?.push(place)
    } else all.push([place])
  }
  return all
}
