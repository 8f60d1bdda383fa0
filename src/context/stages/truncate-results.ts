import type { TruncateResultsOptions } from '../../api/policy.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import type { TextPart, ToolOutput, ToolResultPart } from '../../domain/part.ts'
import { headAndTail } from '../summary/excerpt.ts'
import { fairShare } from '../summary/fair-share.ts'
import { mentionsIn } from '../summary/ledger.ts'
import { keepVital } from '../summary/names-line.ts'
import { neutralise, truncationMarker } from '../summary/marker.ts'
import { unitsWithin } from '../compaction/region.ts'
import type { ProposedFold, StageInput } from '../compaction/stage.ts'
import { withoutPlace } from '../summary/stand-in.ts'

/** Less than this is no result any more: the marker alone takes half of it. */
const CHARACTERS_MIN = 120

/**
 * Cuts long tool results to their head and tail with a marker between. Ids, names, outcome and metadata stay, and so do all
 * results of a message.
 */
export function* truncateResults(input: StageInput, options: TruncateResultsOptions): Pausing<readonly ProposedFold[]> {
  let saved = 0
  const proposals: ProposedFold[] = []
  for (const entry of unitsWithin(input, options).flatMap(({ unit }) => unit.entries)) {
    if (entry.type === 'fold') continue
    yield
    const { message } = entry
    const standIn = truncated(message, options)
    if (standIn === undefined) continue
    const share = resultCharacters(standIn) / Math.max(1, resultCharacters(message))
    saved += Math.floor(message.tokens * (1 - share))
    proposals.push({ kind: 'truncate', entries: [entry], standIn: [standIn], by: 'rule' })
  }
  return saved < (options.savesMin ?? 0) ? [] : proposals
}

function truncated(message: Message, options: TruncateResultsOptions): Draft | undefined {
  const results = message.parts.filter((part) => part.type === 'tool-result')
  if (results.length === 0) return undefined
  const characters = resultCharacters(message)
  const { tokensMax = Infinity, charactersMax = Infinity } = options
  const together = message.tokens <= tokensMax ? Infinity : Math.floor((tokensMax * characters) / message.tokens)
  const limit = Math.max(CHARACTERS_MIN, Math.min(charactersMax, fairShare(results.map(charactersOf), together)))
  const parts = message.parts.map((part) => (part.type === 'tool-result' ? cutResult(part, limit, options) : part))
  return parts.every((part, index) => part === message.parts[index]) ? undefined : { ...withoutPlace(message), parts }
}

function cutResult(part: ToolResultPart, limit: number, options: TruncateResultsOptions): ToolResultPart {
  const output = cutOutput(part.output, limit, options)
  return output === part.output ? part : { ...part, output }
}

function cutOutput(output: ToolOutput, limit: number, options: TruncateResultsOptions): ToolOutput {
  if (charactersIn(output) <= limit) return output
  if (output.type !== 'parts') {
    const text = output.type === 'text' ? output.text : JSON.stringify(output.value)
    const cut = cutText(text, limit, options)
    return cut === undefined ? output : { type: 'text', text: cut }
  }
  const texts = output.parts.filter((part) => part.type === 'text')
  const share = fairShare(
    texts.map((part) => part.text.length),
    limit,
  )
  const parts = output.parts.map((part) =>
    part.type === 'text' && part.text.length > share ? cutPart(part, share, options) : part,
  )
  return parts.every((part, index) => part === output.parts[index]) ? output : { ...output, parts }
}

function cutPart(part: TextPart, limit: number, options: TruncateResultsOptions): TextPart {
  const text = cutText(part.text, limit, options)
  return text === undefined ? part : { ...part, text }
}

function cutText(text: string, limit: number, { vitalCharacters = 240 }: TruncateResultsOptions): string | undefined {
  const room = Math.max(0, limit - truncationMarker(text.length, text.length).length - 2)
  const { head, tail } = headAndTail(text, room)
  const marker = truncationMarker(text.length - head.length - tail.length, text.length)
  const shown = [neutralise(head), marker, neutralise(tail)].filter((piece) => piece !== '').join('\n')
  const errors = vitalCharacters <= 0 ? [] : mentionsIn(text, 'other').filter(({ kind }) => kind === 'error')
  const cut = errors.length === 0 ? shown : keepVital(shown, errors, vitalCharacters)
  return cut.length < text.length ? cut : undefined
}

function resultCharacters(message: Draft): number {
  return message.parts.reduce((sum, part) => sum + (part.type === 'tool-result' ? charactersOf(part) : 0), 0)
}

function charactersOf(part: ToolResultPart): number {
  return charactersIn(part.output)
}

function charactersIn(output: ToolOutput): number {
  if (output.type === 'text') return output.text.length
  if (output.type === 'json') return JSON.stringify(output.value).length
  return output.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
}
