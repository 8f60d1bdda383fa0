/** One text for two, never the same for another two. By length: quoting both costs several times as much, and this is done for every append. */
export function pairKey(first: string, second: string): string {
  return `${first.length} ${first}${second}`
}
