/** A scope and its ancestors, nearest first: all that it may read. */
export function scopeChain(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

/** The first segment. What is known below it has one order of versions; each scope is shown a count of its own. */
export function rootOf(path: string): string {
  return path.split('/')[0] ?? path
}
