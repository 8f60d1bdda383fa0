/** The same JSON value with one place of it made into something else, or taken away. */
export function changedSomewhere(value: unknown, at: number, by: { readonly value: unknown } | 'nothing'): unknown {
  const places: (readonly (string | number)[])[] = []
  collect(value, [], places)
  return replaced(value, places[at % places.length] ?? [], by)
}

function collect(value: unknown, path: readonly (string | number)[], places: (readonly (string | number)[])[]): void {
  places.push(path)
  if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, [...path, index], places)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) collect(item, [...path, name], places)
}

function replaced(
  value: unknown,
  [first, ...rest]: readonly (string | number)[],
  by: { readonly value: unknown } | 'nothing',
): unknown {
  if (first === undefined) return by === 'nothing' ? null : by.value
  const isGone = rest.length === 0 && by === 'nothing'
  if (Array.isArray(value)) {
    const index = first as number
    return isGone ? value.toSpliced(index, 1) : value.with(index, replaced(value[index], rest, by))
  }
  const entries = Object.entries(value as object).flatMap(([name, item]): [string, unknown][] =>
    name !== first ? [[name, item]] : isGone ? [] : [[name, replaced(item, rest, by)]],
  )
  return Object.fromEntries(entries)
}
