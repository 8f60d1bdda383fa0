/** Whether a text has a name as a whole word or words: `12 ms` is not in `312 ms`. */
export function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isWholeAt(text, name, at)) return true
  }
  return false
}

/** Whether a name is at this place, and is no piece of a longer one. */
export function isWholeAt(text: string, name: string, at: number): boolean {
  if (at < 0 || !text.startsWith(name, at)) return false
  return !joins(text[at - 1] ?? '', name[0] ?? '') && !joins(name.at(-1) ?? '', text[at + name.length] ?? '')
}

function joins(left: string, right: string): boolean {
  return /^[A-Za-z0-9]$/.test(left) && /^[A-Za-z0-9]$/.test(right)
}
