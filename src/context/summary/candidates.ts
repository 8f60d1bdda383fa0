import type { Draft } from '../../domain/message.ts'
import type { Part, ToolResultPart } from '../../domain/part.ts'
import { partText } from '../../domain/part-text.ts'
import { type Entry, draftsOf, trustOfEntry } from '../window/entry.ts'
import { clip } from './excerpt.ts'
import { firstError, mentionsIn, outputWords } from './ledger.ts'
import { dataLine } from './marker.ts'
import { plainDrafts } from './plain-drafts.ts'
import { linesWithBlocks } from './quoted-block.ts'
import { isFinalAnswer, isCondensed, isRequest, spoken } from '../compaction/region.ts'
import { sentencesOf } from './sentences.ts'
import { isWriteTool } from './write-tools.ts'

/** What a line of a summary tells, in the order in which lines are chosen. */
export type Tier = 'asked' | 'decided' | 'answered' | 'failed' | 'value' | 'open' | 'central'

/** A line that a summary could have. */
export interface Candidate {
  readonly tier: Tier
  /** Says who spoke and that it is past: `User asked`. No line of a summary begins otherwise, so none reads as an order. */
  readonly label: string
  readonly text: string
  /** Nobody vouches for it: it came from a tool, a document, the web or an import, and is shown as quoted data. */
  readonly quoted: boolean
}

/** A line of a summary. */
export type ExtractedLine = Pick<Candidate, 'label' | 'text' | 'quoted'>

/** A line before it is known whose words it has. */
type Told = Omit<Candidate, 'quoted'>

/** Entries that are read; of more, as many spread evenly, half of them requests. A bound on time, not on what is hidden. */
const ENTRIES_MAX = 600
/** Sentences of one text: most from the beginning, some from the end. */
const SENTENCES_HEAD = 10
const SENTENCES_TAIL = 4
/** Of a result fewer: most of it is there to be looked up again. */
const RESULT_HEAD = 4
const RESULT_TAIL = 3
/** A request up to here is told whole. */
const REQUEST_CHARACTERS = 280
const CALL_CHARACTERS = 160

const DECISION =
  /\b(?:decided?|decision|chose|chosen|agreed|settled on|we(?:'ll| will) use|going with|go with|switched to|approved|confirmed|entschieden|entschlossen|vereinbart|décidé|choisi|decidimos|decidido|acordado|решили|решено|выбрали)\b|决定|決定|选择|選択|採用|采用|결정|선택/iu
const OPEN =
  /\b(?:todo|to do|remaining|still (?:need|to|open|missing)|not yet|pending|unresolved|open (?:question|item|issue)|next steps?|follow.?up|noch (?:offen|nicht)|ausstehend|à faire|reste à|pendiente|falta|осталось|ещё не)\b|待办|待定|尚未|未解决|未完了|残り|保留|미정|남은/iu
/** Cheap, and true of every identifier. */
const MAY_HAVE_VALUE = /[\d/\\@"'`«“„「『《#]|[A-Z]{2}/
/** Lines that are written again for each fold. */
const OURS = /^(?:\[|Kept: |Named only here: |Status: |Left out: )/
const QUESTION = /[?？؟]\s*$/u

/** Headings of a summary that a model wrote, and labels of ours, by what their lines tell. */
const TIERS: Readonly<Record<string, Tier>> = {
  'User asked': 'asked',
  Requests: 'asked',
  Goals: 'asked',
  Constraints: 'asked',
  Decided: 'decided',
  Decisions: 'decided',
  Answered: 'answered',
  Answers: 'answered',
  Achievements: 'answered',
  Done: 'answered',
  Failed: 'failed',
  Errors: 'failed',
  'Dead ends': 'failed',
  Values: 'value',
  Artifacts: 'value',
  Findings: 'value',
  Called: 'value',
  'Left open': 'open',
  'Open items': 'open',
}
const PAST: Readonly<Record<Tier, string>> = {
  asked: 'User asked',
  decided: 'Decided',
  answered: 'Answered',
  failed: 'Failed',
  value: 'Noted',
  open: 'Left open',
  central: 'Said',
}

/** Lines that could stand for entries, in their order. */
export function candidatesOf(entries: readonly Entry[]): readonly Candidate[] {
  const names = toolNames(entries)
  return sampled(entries).flatMap((entry) => {
    if (isCondensed(entry)) return draftsOf(entry).flatMap(retold)
    const foreign = isForeign(entry)
    return plainDrafts(entry).flatMap((draft) => spokenCandidates(draft, entry, names, foreign))
  })
}

/** Whether all of it is untrusted, and not only what tools returned: an imported message, whole or shortened. */
function isForeign(entry: Entry): boolean {
  return entry.type === 'fold' ? trustOfEntry(entry) === 0 : entry.message.imported === true
}

/** Which tool a call was for: many results do not say. */
function toolNames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const calls = entries.flatMap((entry) => spoken(entry)?.parts ?? []).filter((part) => part.type === 'tool-call')
  return new Map(calls.map(({ id, name }) => [id, name]))
}

function sampled(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= ENTRIES_MAX) return entries
  const requests = spread(entries.filter(isRequest), ENTRIES_MAX / 2)
  const others = spread(
    entries.filter((entry) => !isRequest(entry)),
    ENTRIES_MAX - requests.length,
  )
  const chosen = new Set([...requests, ...others])
  return entries.filter((entry) => chosen.has(entry))
}

/** So many of a list at equal distances, the first and the last among them. */
function spread<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items
  const step = (items.length - 1) / (max - 1)
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as Item)
}

function spokenCandidates(
  draft: Draft,
  entry: Entry,
  names: ReadonlyMap<string, string>,
  foreign: boolean,
): readonly Candidate[] {
  const results = draft.parts
    .filter((part) => part.type === 'tool-result')
    .flatMap((part) => resultCandidates(part, part.name ?? names.get(part.callId ?? '')))
    .map((line) => ({ ...line, quoted: true }))
  return [...ownCandidates(draft, entry).map((line) => ({ ...line, quoted: foreign })), ...results]
}

/** What whoever speaks says himself. */
function ownCandidates(draft: Draft, entry: Entry): readonly Told[] {
  const text = wordsOf(draft)
  if (isRequest(entry)) return requestCandidates(text)
  const said = isFinalAnswer(entry) ? answerCandidates(text) : sentencesWithin(text).map(saidCandidate)
  return [...said, ...draft.parts.flatMap(callCandidates)]
}

/** What a message says in words, with the names of what it shows. */
function wordsOf(draft: Draft): string {
  return draft.parts
    .map(words)
    .filter((text) => text !== '')
    .join('\n')
}

function words(part: Part): string {
  if (['reasoning', 'tool-call', 'tool-result', 'agent-call'].includes(part.type)) return ''
  if (part.type === 'data' && part.kind !== 'structured') return ''
  return partText(part, (media) =>
    media.type === 'audio' ? '(sound)' : `(${media.type}${media.name === undefined ? '' : ` ${media.name}`})`,
  )
}

function requestCandidates(text: string): readonly Told[] {
  if (text.length <= REQUEST_CHARACTERS) {
    const whole = dataLine(text)
    return whole === '' ? [] : [{ tier: 'asked', label: 'User asked', text: whole }]
  }
  const sentences = sentencesWithin(text)
  return sentences.map((sentence, index) => {
    const asks = index === 0 || index === sentences.length - 1 || QUESTION.test(sentence)
    if (asks) return { tier: 'asked', label: 'User asked', text: sentence }
    return { tier: cueOf(sentence) ?? 'central', label: 'User said', text: sentence }
  })
}

function answerCandidates(text: string): readonly Told[] {
  const sentences = sentencesWithin(text)
  return sentences.map((sentence, index) => {
    const cue = cueOf(sentence)
    if (cue !== undefined && cue !== 'value') return { tier: cue, label: PAST[cue], text: sentence }
    const edge = index === 0 || index === sentences.length - 1
    return { tier: edge ? 'answered' : (cue ?? 'central'), label: 'Answered', text: sentence }
  })
}

function saidCandidate(sentence: string): Told {
  const tier = cueOf(sentence) ?? 'central'
  return { tier, label: tier === 'value' ? 'Said' : PAST[tier], text: sentence }
}

function callCandidates(part: Part): readonly Told[] {
  if (part.type === 'agent-call') {
    const request = typeof part.request === 'string' ? part.request : JSON.stringify(part.request)
    return [{ tier: 'value', label: 'Called', text: clip(dataLine(`agent ${part.agent} ${request}`), CALL_CHARACTERS) }]
  }
  if (part.type !== 'tool-call') return []
  const text = clip(dataLine(`${part.name} ${part.arguments}`), CALL_CHARACTERS)
  return [{ tier: isWriteTool(part.name) ? 'value' : 'central', label: 'Called', text }]
}

/** What came from a tool is told as what a tool returned, so that nobody takes it for the user's or the assistant's word. */
function resultCandidates(result: ToolResultPart, name: string | undefined): readonly Told[] {
  const text = outputWords(result.output)
  const by = name === undefined ? '' : `${dataLine(name)}: `
  const failed = result.outcome !== undefined && result.outcome !== 'ok'
  const error = firstError(text) ?? (failed ? (sentencesOf(text)[0] ?? result.outcome) : undefined)
  const report: readonly Told[] =
    error === undefined ? [] : [{ tier: 'failed', label: 'Failed', text: by + dataLine(error) }]
  if (failed) return report
  const lines = sentencesWithin(text, RESULT_HEAD, RESULT_TAIL).map((sentence) => {
    const tier = hasValue(sentence) ? ('value' as const) : ('central' as const)
    return { tier, label: 'Tool returned', text: by + sentence }
  })
  return [...report, ...lines]
}

/** The lines of an earlier summary or record keep what they told. Their vital identifiers come from its ledger. */
function retold(draft: Draft): readonly Candidate[] {
  const lines = draft.parts.flatMap((part) => (part.type === 'text' ? linesWithBlocks(part.text) : []))
  let heading: Tier = 'central'
  return lines.flatMap(({ line, quoted }): readonly Candidate[] => {
    if (line === '' || OURS.test(line)) return []
    const [, label = '', text = ''] = /^([A-Z][A-Za-z ]{2,20}):(?: (.*))?$/.exec(line) ?? []
    const tier = TIERS[label]
    if (text === '' && label !== '') {
      heading = tier ?? 'value'
      return []
    }
    if (label !== '') return [{ tier: tier ?? 'value', label, text: dataLine(text), quoted }]
    return [{ tier: heading, label: PAST[heading], text: dataLine(line.replace(/^- /, '')), quoted }]
  })
}

function sentencesWithin(
  text: string,
  head: number = SENTENCES_HEAD,
  tail: number = SENTENCES_TAIL,
): readonly string[] {
  const all = sentencesOf(text)
  return all.length <= head + tail ? all : [...all.slice(0, head), ...all.slice(-tail)]
}

function cueOf(sentence: string): Tier | undefined {
  if (firstError(sentence) !== undefined) return 'failed'
  if (DECISION.test(sentence)) return 'decided'
  if (OPEN.test(sentence)) return 'open'
  return hasValue(sentence) ? 'value' : undefined
}

function hasValue(sentence: string): boolean {
  return MAY_HAVE_VALUE.test(sentence) && mentionsIn(sentence.slice(0, 400), 'other').length > 0
}
