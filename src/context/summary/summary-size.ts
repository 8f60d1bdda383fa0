import type { SummarySizeOptions } from '../../api/policy.ts'
import { estimator } from '../../tokens/estimate.ts'
import { type Entry, totalTokens } from '../window/entry.ts'
import { extractLines } from './extract.ts'
import { foldText } from './fold-text.ts'
import { ledgerOf } from './ledger.ts'
import { summaryMarker } from './marker.ts'
import { type IndexedUnit, entriesOf } from '../compaction/region.ts'
import type { ProposedFold, StagePrompt } from '../compaction/stage.ts'
import { isSmaller, told } from './stand-in.ts'

/** Names are in no vocabulary, so they cost more than words: measured by our estimate on lists of paths, codes and dates. */
const NAME_CHARACTERS_PER_TOKEN = 2.75
/** Of a summary, for names that nobody asked for: they help to find things again, but lines tell what happened. */
const OTHERS_SHARE = 0.3
/** So few that only a marker and a line fit: below, a share is no budget. */
const TOKENS_MIN = 60

/** What a summary of so many tokens may take. */
export function tokensFor(tokens: number, { tokensMax = 1_000, ratio = 0.3 }: SummarySizeOptions): number {
  return Math.min(tokensMax, Math.max(TOKENS_MIN, Math.ceil(tokens * ratio)))
}

/** A summary in place of entries, if it is smaller than they are. */
export function tell(
  units: readonly IndexedUnit[],
  prompt: StagePrompt['name'],
  options: SummarySizeOptions,
): readonly ProposedFold[] {
  if (units.length === 0) return []
  const entries = entriesOf(units)
  const tokensMax = tokensFor(totalTokens(entries), options)
  const standIn = standInFor(entries, tokensMax, options)
  if (!isSmaller(standIn, entries)) return []
  return [{ kind: 'summary', entries, standIn, by: 'extract', prompt: { name: prompt, tokensMax } }]
}

function standInFor(
  entries: readonly Entry[],
  tokensMax: number,
  options: SummarySizeOptions,
): ProposedFold['standIn'] {
  const { role = 'user', vitalShare = 0.5, split = false } = options
  const heading = summaryMarker(entries)
  const identifiers = vitalShare <= 0 ? [] : ledgerOf(entries).identifiers
  const vitalMax = Math.floor(tokensMax * vitalShare * NAME_CHARACTERS_PER_TOKEN)
  const othersMax = Math.floor(tokensMax * OTHERS_SHARE * NAME_CHARACTERS_PER_TOKEN)
  // At most as much as the names would take if no line named any of them; what they leave is for lines.
  const names = { identifiers, vitalMax, othersMax }
  const named = estimator().count(foldText({ heading: '', lines: [], ...names }))
  const lines = extractLines(entries, { tokensMax: tokensMax - named, heading })
  const requests = split ? lines.filter(({ label }) => label === 'User asked') : []
  const others = lines.filter((line) => !requests.includes(line))
  if (requests.length === 0 || others.length === 0) return [told(role, foldText({ heading, lines, ...names }))]
  const asked = foldText({ heading, lines: requests })
  return [told('user', asked), told('assistant', foldText({ heading, lines: others, beside: asked, ...names }))]
}
