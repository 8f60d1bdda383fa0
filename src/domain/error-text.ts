const TEXT_CHARACTERS_MAX = 300

/** What somebody threw, in one short line. Somebody else's code: it may throw anything, and its getters may throw too. */
export function errorText(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return text
      .slice(0, TEXT_CHARACTERS_MAX)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
  } catch {
    return 'an error that cannot be read'
  }
}
