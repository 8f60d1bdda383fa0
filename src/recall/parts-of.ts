/** Items in runs of at most this size in all, in their order; one that is larger makes a run of its own. */
export function partsOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  max: number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of items) {
    const more = sizeOf(item)
    if (size + more > max) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(item)
    size += more
  }
  return parts
}
