const REMEMBERED_MAX = 1_000

/** Puts a value into a map that stays small: the oldest goes first. */
export function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > REMEMBERED_MAX) map.delete(map.keys().next().value ?? '')
}
