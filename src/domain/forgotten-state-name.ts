/** No hash of a forgotten id begins with it, and it sorts after all of them: the names of states are found without reading the others. */
const MARK = '~'
const DIGITS = 12

/**
 * What stays of a forgotten state or predicate: the hash of its place or name, and how often that was forgotten. An archive has the names that were there
 * when it was made, so an import can tell whether a state was written before or after it was forgotten here.
 */
export function forgottenStateName(hash: string, times: number): string {
  return `${MARK}${hash}.${String(times).padStart(DIGITS, '0')}`
}

/** The names of all times that a place was forgotten lie between these. */
export function forgottenStateNames(hash: string): readonly [from: string, to: string] {
  return [`${MARK}${hash}.`, `${MARK}${hash}/`]
}

/** Every name of a forgotten state comes after this one. */
export const BEFORE_FORGOTTEN_STATES: string = MARK

/** `undefined` if it is the name of something else. */
export function readForgottenStateName(name: string): { readonly hash: string; readonly times: number } | undefined {
  const dot = name.lastIndexOf('.')
  return name.startsWith(MARK) && dot > 0
    ? { hash: name.slice(MARK.length, dot), times: Number(name.slice(dot + 1)) }
    : undefined
}
