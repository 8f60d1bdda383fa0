/** Dates as the text they travel as, for query parameters that are text. */
export function isoDates(query: object): object {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value,
    ]),
  )
}
