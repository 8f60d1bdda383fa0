import { field, isArray } from '../canonical/json.ts'

/** Index of the first content after the last one in which the user spoke (and did not only answer calls). */
export function currentContentStart(contents: readonly unknown[]): number {
  return (
    contents.findLastIndex((content) => {
      const parts = field(content, 'parts')
      return (
        field(content, 'role') === 'user' &&
        isArray(parts) &&
        parts.some((part) => field(part, 'functionResponse') === undefined)
      )
    }) + 1
  )
}

/** Index of the first call of a content when that call has no signature. */
export function unsignedCall(content: unknown): number | undefined {
  const parts = field(content, 'parts')
  if (!isArray(parts) || field(content, 'role') !== 'model') return undefined
  const first = parts.findIndex((part) => field(part, 'functionCall') !== undefined)
  return first === -1 || typeof field(parts[first], 'thoughtSignature') === 'string' ? undefined : first
}
