import { MemoryError } from './error.ts'
import { quote, refuse } from './refuse.ts'

/** Refuses names nobody asked for, and says which one was probably meant: a misspelt option that is ignored is a silent bug. */
export function checkOptions(attempt: string, options: unknown, known: readonly string[], what = 'option'): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse(attempt, `${what}s`, options, 'an object')
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    throw new MemoryError(
      'input/invalid',
      `Cannot ${attempt}: unknown ${what} ${quote(name)}, ${suggestion(meant, known)}`,
      { option: name, meant, known },
    )
  }
}

/** What other libraries call some of our options, without case and signs. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  limit: ['k', 'n', 'top', 'topk', 'topn', 'count', 'last', 'max', 'maxresults', 'size', 'take'],
  subject: ['about', 'entity'],
  budget: ['maxtokens', 'tokenlimit', 'tokenbudget'],
  inputTokens: ['prompttokens', 'prompttokencount'],
  outputTokens: ['completiontokens', 'candidatestokencount'],
}

function suggestion(meant: string | undefined, known: readonly string[]): string {
  if (meant !== undefined) return `did you mean ${quote(meant)}?`
  return known.length === 0 ? 'expected none' : `expected one of ${known.join(', ')}`
}

/** The known name that a typing error, another case style or a plural would turn into this one, or that others use for it. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = plainForm(name)
  const synonym = known.find((candidate) => elsewhere[candidate]?.includes(plain))
  if (synonym !== undefined) return synonym
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(plain, plainForm(candidate))
    if (best === undefined || distance < best.distance) best = { name: candidate, distance }
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(plain.length / 3)) ? best.name : undefined
}

function plainForm(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
}

/** Letters put in, left out, taken for another, or typed in the wrong order: each counts one. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(substituted, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
