/** Text as it is compared when case does not matter. Upper case, because `ß` and `ss`, `ſ` and `s`, `σ` and `ς` meet only there. */
export function foldCase(text: string): string {
  return text.toUpperCase()
}
