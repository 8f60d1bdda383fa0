/** A scope and its ancestors, nearest first: all that it may read. */
export function scopeChain(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

/** The first segment: what it owns shares one count of versions, so that a moment means the same for a scope and its ancestors. */
export function rootOf(path: string): string {
  return path.split('/')[0] ?? path
}
