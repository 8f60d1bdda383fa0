import type { Draft } from '../../domain/message.ts'
import type { Part, ToolResultPart } from '../../domain/part.ts'
import { partText } from '../../domain/part-text.ts'
import type { Pausing } from '../../log/with-pauses.ts'
import { type Entry, draftsOf, trustOfEntry } from '../window/entry.ts'
import { clip } from './excerpt.ts'
import { outputShape } from './json-shape.ts'
import { errorsIn, outputWords } from './ledger.ts'
import { dataLine } from './marker.ts'
import { plainDrafts } from './plain-drafts.ts'
import { linesWithBlocks } from './quoted-block.ts'
import { isFinalAnswer, isCondensed, isRequest, spoken } from '../compaction/region.ts'
import { sentencesOf } from './sentences.ts'
import { seriesOf } from './series.ts'
import { type Cue, type Speaker, cuesOf, isQuestion, worthOf } from './worth.ts'
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
  /** How much a reader would miss it. */
  readonly worth: number
  /** Lines of one message have the same one; they are told together. */
  readonly from: number
}

/** A line of a summary. */
export type ExtractedLine = Pick<Candidate, 'label' | 'text' | 'quoted'>

/** A line before it is known whose words it has and where it came from. */
type Told = Omit<Candidate, 'quoted' | 'from'>

/** Entries that are read; of more, as many spread evenly, half of them requests. A bound on time, not on what is hidden. */
const ENTRIES_MAX = 600
/** Sentences of one text: most from the beginning, some from the end. */
const SENTENCES_HEAD = 10
const SENTENCES_TAIL = 4
/** A request up to here is told whole or not at all. */
const REQUEST_CHARACTERS = 80
/** Lines of a result that are told at most: most of it is there to be looked up again. */
const RESULT_LINES_MAX = 3
const ERROR_LINES_MAX = 2
/** As many lines alike in one result are a list or a log, and none of them is a sentence. */
const ALIKE_MAX = 3
const CALL_CHARACTERS = 160
/** What was called says how something came about, which is worth less than that it did. */
const CALL_WORTH = 0.2
const WRITE_WORTH = 0.9
const SHAPE_WORTH = 0.3
/** A result of so few lines is an answer; of a longer one only lines are told that are worth something by themselves. */
const SHORT_RESULT_LINES = 3
const SHORT_RESULT_CHARACTERS = 400
const SHORT_RESULT_WORTH = 0.8
const RESULT_WORTH_MIN = 1.3
const FAILED_WORTH = 1.6
/** What a session began with. */
const FIRST_REQUEST_WORTH = 0.8
/** A text of one sentence is what somebody wanted to say; the first and the last of several often are. */
const EDGE_WORTH = 0.2

/** Lines that are written again for each fold. */
const OURS = /^(?:\[|Kept: |Named only here: |Status: |Left out: )/

/** Headings of a summary that a model wrote, and labels of ours, by what their lines tell. */
const TIERS: Readonly<Record<string, Tier>> = {
  'User asked': 'asked',
  'User said': 'asked',
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
export function* candidatesOf(entries: readonly Entry[]): Pausing<readonly Candidate[]> {
  const names = toolNames(entries)
  const first = entries.find(isRequest)
  const candidates: Candidate[] = []
  for (const [from, entry] of sampled(entries).entries()) {
    yield
    if (isCondensed(entry)) {
      for (const draft of draftsOf(entry)) candidates.push(...retold(draft, from))
      continue
    }
    const foreign = isForeign(entry)
    const more = entry === first ? FIRST_REQUEST_WORTH : 0
    for (const draft of plainDrafts(entry))
      for (const line of yield* spokenCandidates(draft, entry, names, foreign))
        candidates.push({ ...line, worth: line.worth + more, from })
  }
  return candidates
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

function* spokenCandidates(
  draft: Draft,
  entry: Entry,
  names: ReadonlyMap<string, string>,
  foreign: boolean,
): Pausing<readonly Omit<Candidate, 'from'>[]> {
  const lines: Omit<Candidate, 'from'>[] = ownCandidates(draft, entry).map((line) => ({ ...line, quoted: foreign }))
  for (const part of isRequest(entry) ? [] : draft.parts) {
    yield
    for (const line of callCandidates(part)) lines.push({ ...line, quoted: foreign })
  }
  for (const part of draft.parts) {
    if (part.type !== 'tool-result') continue
    yield
    for (const line of resultCandidates(part, part.name ?? names.get(part.callId ?? '')))
      lines.push({ ...line, quoted: true })
  }
  return lines
}

/** What whoever speaks says in words. */
function ownCandidates(draft: Draft, entry: Entry): readonly Told[] {
  const text = wordsOf(draft)
  const sentences = sentencesWithin(text)
  if (isRequest(entry)) {
    const lines = sentences.map((sentence, index) => requestCandidate(sentence, isEdge(index, sentences)))
    return text.length <= REQUEST_CHARACTERS ? wholeRequest(text, lines) : lines
  }
  const answers = isFinalAnswer(entry)
  return sentences.map((sentence, index) => saidCandidate(sentence, answers && isEdge(index, sentences), answers))
}

function isEdge(index: number, sentences: readonly string[]): boolean {
  return index === 0 || index === sentences.length - 1
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

function requestCandidate(sentence: string, edge: boolean): Told {
  const asks = isQuestion(sentence) || cuesOf(sentence, 'user').includes('asked')
  return { tier: 'asked', label: asks ? 'User asked' : 'User said', ...told(sentence, 'user', edge) }
}

/** A short request is not taken apart. It is worth as much as the best of it. */
function wholeRequest(text: string, lines: readonly Told[]): readonly Told[] {
  if (lines.length < 2) return lines
  const worth = lines.reduce((best, line) => Math.max(best, line.worth), -Infinity)
  const label = lines.find((line) => line.label === 'User asked')?.label ?? 'User said'
  return [{ tier: 'asked', label, text: dataLine(text), worth }]
}

function saidCandidate(sentence: string, edge: boolean, answers: boolean): Told {
  const cue = tierOf(cuesOf(sentence, 'assistant'))
  const line = told(sentence, 'assistant', edge)
  if (cue === 'failed' || cue === 'decided' || cue === 'open') return { tier: cue, label: PAST[cue], ...line }
  if (answers) return { tier: edge ? 'answered' : (cue ?? 'central'), label: 'Answered', ...line }
  return { tier: cue ?? 'central', label: 'Said', ...line }
}

function told(text: string, speaker: Speaker, edge = false): Pick<Told, 'text' | 'worth'> {
  return { text, worth: worthOf(text, speaker) + (edge ? EDGE_WORTH : 0) }
}

/** What a line is told as: the first of its cues that has a label of its own. */
function tierOf(cues: readonly Cue[]): Tier | undefined {
  return cues.flatMap((cue): readonly Tier[] => (cue === 'rule' || cue === 'asked' ? [] : [cue]))[0]
}

function callCandidates(part: Part): readonly Told[] {
  if (part.type === 'agent-call') {
    const request = typeof part.request === 'string' ? part.request : JSON.stringify(part.request)
    const text = clip(dataLine(`agent ${part.agent} ${request}`), CALL_CHARACTERS)
    return [{ tier: 'value', label: 'Called', text, worth: WRITE_WORTH }]
  }
  if (part.type !== 'tool-call') return []
  const text = clip(dataLine(`${part.name} ${part.arguments}`), CALL_CHARACTERS)
  const writes = isWriteTool(part.name)
  return [{ tier: writes ? 'value' : 'central', label: 'Called', text, worth: writes ? WRITE_WORTH : CALL_WORTH }]
}

/** What came from a tool is told as what a tool returned, so that nobody takes it for the user's or the assistant's word. */
function resultCandidates(result: ToolResultPart, name: string | undefined): readonly Told[] {
  const text = outputWords(result.output)
  const by = name === undefined ? '' : `${dataLine(name)}: `
  const failed = result.outcome !== undefined && result.outcome !== 'ok'
  const reported = errorGroups(text)
  const errors = reported.length === 0 && failed ? [sentencesOf(text)[0] ?? result.outcome] : reported
  const report = errors.map((error): Told => ({
    tier: 'failed',
    label: 'Failed',
    text: by + dataLine(error),
    worth: FAILED_WORTH,
  }))
  return failed ? report : [...report, ...returned(result.output, text, by)]
}

/** The errors of a text, those alike as one: `socket.ts:0–54: no such name (19 times)`. */
function errorGroups(text: string): readonly string[] {
  const groups = seriesOf(errorsIn(text).map(dataLine), { text: (error) => error, place: () => text })
  return groups
    .slice(0, ERROR_LINES_MAX)
    .map((group) => (group.items.length > 1 ? `${group.text} (${group.items.length} times)` : group.text))
}

/** What a result says besides errors: the shape of JSON, and of a text the lines worth most that are unlike the others. */
function returned(output: ToolResultPart['output'], text: string, by: string): readonly Told[] {
  const json = outputShape(output)
  if (json !== undefined)
    return [{ tier: 'central', label: 'Tool returned', text: by + dataLine(json), worth: SHAPE_WORTH }]
  const sentences = sentencesOf(text)
  const alike = new Map<string, number>()
  const shapes = sentences.map((sentence) => sentence.replaceAll(/[\p{N}.]+|(?<=\p{N})\p{L}+/gu, '0').slice(0, 40))
  for (const shape of shapes) alike.set(shape, (alike.get(shape) ?? 0) + 1)
  const short = sentences.length <= SHORT_RESULT_LINES && text.length <= SHORT_RESULT_CHARACTERS
  const more = short ? SHORT_RESULT_WORTH : 0
  return sentences
    .map((sentence, index): Told => {
      const { worth } = told(sentence, 'tool', index === sentences.length - 1)
      const line = { text: sentence, worth: worth + more }
      return { ...line, tier: cuesOf(sentence, 'tool').includes('value') ? 'value' : 'central', label: 'Tool returned' }
    })
    .filter(
      ({ worth }, index) => short || (worth >= RESULT_WORTH_MIN && (alike.get(shapes[index] ?? '') ?? 0) < ALIKE_MAX),
    )
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, RESULT_LINES_MAX)
    .map((line) => ({ ...line, text: by + line.text }))
}

/** The lines of an earlier summary or record keep what they told. Their vital identifiers come from its ledger. */
function retold(draft: Draft, from: number): readonly Candidate[] {
  const lines = draft.parts.flatMap((part) => (part.type === 'text' ? linesWithBlocks(part.text) : []))
  let heading: Tier = 'central'
  return lines.flatMap(({ line, quoted }, nth): readonly Candidate[] => {
    if (line === '' || OURS.test(line)) return []
    const [, label = '', text = ''] = /^([A-Z][A-Za-z ]{2,20}):(?: (.*))?$/.exec(line) ?? []
    const tier = TIERS[label]
    if (text === '' && label !== '') {
      heading = tier ?? 'value'
      return []
    }
    // Lines of one fold are told together only if they were: each has a place of its own after the fold's.
    const place = from + (nth + 1) / (lines.length + 2)
    const speaker = quoted ? 'tool' : tier === 'asked' ? 'user' : 'assistant'
    const again = (sentence: string, as: Pick<Candidate, 'tier' | 'label'>): Candidate => {
      const worth = worthOf(sentence, speaker) + (quoted && as.tier === 'failed' ? FAILED_WORTH : 0)
      return { ...as, text: sentence, quoted, worth, from: place }
    }
    if (label !== '')
      return spokenSentences(label, text).map((sentence) => again(sentence, { tier: tier ?? 'value', label }))
    return [again(dataLine(line.replace(/^- /, '')), { tier: heading, label: PAST[heading] })]
  })
}

/** What somebody said is told a sentence at a time; calls and what came of them stay together. */
function spokenSentences(label: string, text: string): readonly string[] {
  return TOGETHER.has(label) ? [dataLine(text)] : sentencesOf(text)
}

const TOGETHER: ReadonlySet<string> = new Set(['Called', 'Failed', 'Tool returned'])

function sentencesWithin(
  text: string,
  head: number = SENTENCES_HEAD,
  tail: number = SENTENCES_TAIL,
): readonly string[] {
  const all = sentencesOf(text)
  return all.length <= head + tail ? all : [...all.slice(0, head), ...all.slice(-tail)]
}
