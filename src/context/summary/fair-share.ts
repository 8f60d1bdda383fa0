/** The length at which things must be cut for all of them to fit: shorter ones stay whole and leave room for the others. */
export function fairShare(lengths: readonly number[], together: number): number {
  let left = together
  const ascending = lengths.toSorted((a, b) => a - b)
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (length > share) return share
    left -= length
  }
  return Infinity
}
