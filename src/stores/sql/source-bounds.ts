/** A source; or all that begin with it, if it ends with a comma or a bracket. */
export function bounds(source: string): readonly [string] | readonly [string, string] {
  const last = source.at(-1) ?? ''
  const next = String.fromCharCode(last.charCodeAt(0) + 1)
  return last === ',' || last === '[' ? [source, `${source.slice(0, -1)}${next}`] : [source]
}
