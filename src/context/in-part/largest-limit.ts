/** The largest whole number from `least` through `most` that passes, found by halving; `undefined` if not even the least does. */
export async function largestLimit(
  least: number,
  most: number,
  passes: (limit: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (!(await passes(least))) return undefined
  let [low, high] = [least, Math.max(least, most)]
  // Characters need not be found to the last one: a 256th of the way is near enough, and far fewer tries.
  const step = Math.max(1, Math.floor((high - low) / 256))
  while (high - low > step) {
    const middle = Math.ceil((low + high) / 2)
    if (await passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
