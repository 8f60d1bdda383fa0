import type { SummarySizeOptions } from '../../api/policy.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { estimator } from '../../tokens/estimate.ts'
import { type Entry, totalTokens } from '../window/entry.ts'
import { chooseLines, rankedLines } from './extract.ts'
import { type FoldTextOptions, byTrust, foldText } from './fold-text.ts'
import { readLedger } from './ledger.ts'
import { FOLD_ID, summaryMarker } from './marker.ts'
import { QUOTED_FRAME_TOKENS } from './quoted-block.ts'
import { entriesOf } from '../compaction/region.ts'
import type { IndexedUnit } from '../window/unit.ts'
import type { ProposedFold, StagePrompt } from '../compaction/stage.ts'
import { isSmaller, told } from './stand-in.ts'

/** Names are in no vocabulary, so they cost more than words: measured by our estimate on lists of paths, codes and dates. */
const NAME_CHARACTERS_PER_TOKEN = 2.75
/** Of a summary, for names that nobody asked for: they help to find things again, but lines tell what happened. */
const OTHERS_SHARE = 0.3
/** Of a summary, for names before any line is chosen. A line that names something says what it has to do with it. */
const NAMES_RESERVED = 0.1
/** What a line has to be worth to come before names, where names may take all: two or three reasons to keep it. */
const STRONG = 4.4
/** Ids are random digits and letters, and cost more the more those alternate: few cost more than this one. */
const COSTLY_ID = 'fold-12a3b45c6d78'
/** What a summary takes besides its text: the frame of a message, and its id twice, which costs more than what stands for it. */
const FRAME_TOKENS = 3 + 2 * (estimator().count(COSTLY_ID) - estimator().count(FOLD_ID))
/** So few that only a marker and a line fit: below, a share is no budget. */
const TOKENS_MIN = 60

/** What a summary of so many tokens may take. */
export function tokensFor(tokens: number, { tokensMax = 1_000, ratio = 0.3 }: SummarySizeOptions): number {
  return Math.min(tokensMax, Math.max(TOKENS_MIN, Math.ceil(tokens * ratio)))
}

/** A summary in place of entries, if it is smaller than they are. */
export function* tell(
  units: readonly IndexedUnit[],
  prompt: StagePrompt['name'],
  options: SummarySizeOptions,
): Pausing<readonly ProposedFold[]> {
  if (units.length === 0) return []
  const entries = entriesOf(units)
  const tokensMax = tokensFor(totalTokens(entries), options)
  const standIn = yield* standInFor(entries, tokensMax - FRAME_TOKENS, options)
  if (!isSmaller(standIn, entries)) return []
  return [{ kind: 'summary', entries, standIn, by: 'extract', prompt: { name: prompt, tokensMax } }]
}

function* standInFor(
  entries: readonly Entry[],
  tokensMax: number,
  options: SummarySizeOptions,
): Pausing<ProposedFold['standIn']> {
  const { role = 'user', vitalShare = 0.5, split = false } = options
  const heading = summaryMarker(entries)
  const identifiers = vitalShare <= 0 ? [] : (yield* readLedger(entries)).identifiers
  const vitalMax = Math.floor(tokensMax * vitalShare * NAME_CHARACTERS_PER_TOKEN)
  const othersMax = Math.floor(tokensMax * OTHERS_SHARE * NAME_CHARACTERS_PER_TOKEN)
  const ranked = yield* rankedLines(entries)
  const all = { identifiers, vitalMax, othersMax }
  // Lines that are worth most come before names, and names before all other lines.
  const reserved = Math.floor(tokensMax * NAMES_RESERVED)
  const strong = yield* chooseLines(ranked, { tokensMax: tokensMax - reserved, heading, worthMin: STRONG * vitalShare })
  const first = { heading, lines: strong }
  const named = tokensOfText({ ...first, ...namesWithin({ ...first, ...all }, tokensMax) }) - tokensOfText(first)
  const lines = yield* chooseLines(ranked, { tokensMax: tokensMax - Math.max(0, named), heading })
  const names = namesWithin({ heading, lines, ...all }, tokensMax)
  const requests = split ? lines.filter(({ label }) => label === 'User asked' || label === 'User said') : []
  const others = lines.filter((line) => !requests.includes(line))
  if (requests.length === 0 || others.length === 0) return [told(role, foldText({ heading, lines, ...names }))]
  const asked = foldText({ heading, lines: requests })
  return [told('user', asked), told('assistant', foldText({ heading, lines: others, beside: asked, ...names }))]
}

type Names = Required<Pick<FoldTextOptions, 'identifiers' | 'vitalMax' | 'othersMax'>>

function tokensOfText(options: FoldTextOptions): number {
  return estimator().count(foldText(options))
}

/** As many names as fit beside the lines. Names that only tools mentioned need a block, which has to be worth its frame. */
function namesWithin(options: Names & Pick<FoldTextOptions, 'heading' | 'lines'>, tokensMax: number): Names {
  const { heading, lines, vitalMax, othersMax } = options
  const left = tokensMax - tokensOfText({ heading, lines })
  const framed = lines.some(({ quoted }) => quoted) || left > QUOTED_FRAME_TOKENS * 2
  const identifiers = framed ? options.identifiers : byTrust(options.identifiers)[0]
  let characters = Math.floor(left * NAME_CHARACTERS_PER_TOKEN)
  while (characters > 0) {
    const names = { identifiers, vitalMax: Math.min(vitalMax, characters), othersMax: Math.min(othersMax, characters) }
    const excess = tokensOfText({ heading, lines, ...names }) - tokensMax
    if (excess <= 0) return names
    characters -= Math.ceil((excess + 1) * NAME_CHARACTERS_PER_TOKEN)
  }
  return { identifiers: [], vitalMax: 0, othersMax: 0 }
}
