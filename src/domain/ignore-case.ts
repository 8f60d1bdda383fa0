/**
 * Text as it is compared when case does not matter. Upper case, because `ß` and `ss`, `ſ` and `s`, `σ` and `ς` meet only there;
 * through lower case, because `ẞ`, `İ` and the sign for kelvin have no upper case but have a lower one.
 */
export function ignoreCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}
