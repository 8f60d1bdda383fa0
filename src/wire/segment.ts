/**
 * A name as one segment of an address. `.` and `..` are rewritten by every URL parser, also when they are escaped; so a tilde
 * goes before them, and before a name that begins with one.
 */
function toSegment(name: string): string {
  return encodeURIComponent(name === '.' || name === '..' || name.startsWith('~') ? `~${name}` : name)
}

/** The name of a segment that is decoded already. */
export function fromSegment(segment: string): string {
  return segment.startsWith('~') ? segment.slice(1) : segment
}

/** An operation's path with its names filled in. */
export function fillPath(path: string, names: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toSegment(names[name] ?? ''))
}
