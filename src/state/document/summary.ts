import { estimator } from '../../tokens/estimate.ts'
import type { HistoryEntry } from '../../api/document.ts'

export const SUMMARY_TOKENS_MAX = 2_000

const HEADING = 'Previous conversation summary:'
const AGED_HEADING = 'Older than three days:'
const PREVIEW_CHARACTERS = 100
const OMITTED = /^- \((\d+) earlier lines left out\)$/

/**
 * Adds a line for each entry to the summary. If there is no room for all lines, the newest are kept and the others are counted, so
 * that the summary does not grow without limit. Each heading is there once.
 */
export function addToSummary(
  summary: string,
  { aged, older }: { readonly aged: readonly HistoryEntry[]; readonly older: readonly HistoryEntry[] },
  tokensMax: number,
): { readonly text: string; readonly tokens: number; readonly linesDropped: number } {
  const { count } = estimator()
  const before = summary === '' ? [] : summary.split('\n')
  const added = [
    ...(aged.length === 0 || before.includes(AGED_HEADING) ? [] : [AGED_HEADING]),
    ...aged.map(lineOf),
    ...(older.length === 0 || before.includes(HEADING) ? [] : [HEADING]),
    ...older.map(lineOf),
  ]
  const whole = [...before, ...added].join('\n')
  if (count(whole) <= tokensMax) return { text: whole, tokens: count(whole), linesDropped: 0 }
  return shortened([...before, ...added], tokensMax)
}

function shortened(
  lines: readonly string[],
  tokensMax: number,
): { readonly text: string; readonly tokens: number; readonly linesDropped: number } {
  const { count } = estimator()
  const earlier = lines.reduce((total, line) => total + Number(OMITTED.exec(line)?.[1] ?? 0), 0)
  const told = lines.filter((line) => !OMITTED.test(line) && line !== HEADING && line !== AGED_HEADING)
  const textOf = (kept: number): string =>
    [HEADING, `- (${earlier + told.length - kept} earlier lines left out)`, ...told.slice(told.length - kept)].join(
      '\n',
    )
  // Fewer lines never cost more, so a binary search finds the most that fit.
  let [low, high] = [0, told.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(textOf(middle)) <= tokensMax) low = middle
    else high = middle - 1
  }
  const text = textOf(low)
  return { text, tokens: count(text), linesDropped: told.length - low }
}

/** Cut between code points, so that no character is split. */
function lineOf({ role, content }: HistoryEntry): string {
  const line = content.replaceAll(/\s+/gu, ' ').trim()
  const characters = Array.from(line.slice(0, PREVIEW_CHARACTERS * 4))
  const preview = characters.slice(0, PREVIEW_CHARACTERS).join('')
  return `- ${role}: ${preview}${preview.length < line.length ? '…' : ''}`
}
