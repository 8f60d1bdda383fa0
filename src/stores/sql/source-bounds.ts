/** A source, or all that begin with it: the character after the comma is the hyphen. */
export function bounds(source: string): readonly [string] | readonly [string, string] {
  return source.endsWith(',') ? [source, `${source.slice(0, -1)}-`] : [source]
}
