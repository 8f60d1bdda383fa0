import type { BlockSource } from '../api/blocks.ts'
import type { Fact } from '../domain/fact.ts'
import { lowestTrust } from '../domain/trust.ts'
import { estimator } from '../tokens/estimate.ts'
import { plainSentence } from './plain-sentence.ts'

/** The subject of what users say about themselves. */
const USER = 'user'
const SOURCES_NAMED_MAX = 2

/** What is derived from facts: one sentence a line. */
export interface Profile {
  readonly text: string
  /** One digit for each line. */
  readonly trust: string
  readonly sources: readonly BlockSource[]
}

/**
 * What is known, in plain sentences, most useful first, as far as the limit goes: first what is about the user, then about those
 * of whom most is known; of one person or thing, first what is trusted and confirmed most, then what is newest. Facts that differ
 * only in what they say are one sentence. Needs no model, and the same facts give the same text.
 */
export function profile(facts: readonly Fact[], limit: number): Profile {
  const groups = [
    ...Map.groupBy(
      facts.filter(({ trust }) => trust > 0),
      keyOf,
    ).values(),
  ]
  const known = new Map<string, number>()
  for (const { subject } of facts) known.set(subject ?? '', (known.get(subject ?? '') ?? 0) + 1)
  const sentences = groups.map((group) => sentenceOf(group, known)).toSorted((a, b) => compare(a.rank, b.rank))
  const lines: typeof sentences = []
  let left = limit
  for (const sentence of sentences) {
    // With the end of its line: the whole is never more than its lines.
    const tokens = estimator().count(`${sentence.line}\n`)
    if (tokens > left) continue
    left -= tokens
    lines.push(sentence)
  }
  return {
    text: lines.map(({ line }) => line).join('\n'),
    trust: lines.map(({ trust }) => trust).join('') || '3',
    sources: lines.map(({ facts: ids, messages }, line) => ({ line, facts: ids, messages })),
  }
}

interface Sentence extends Omit<BlockSource, 'line'> {
  readonly line: string
  readonly trust: number
  /** Smaller is more useful; compared from the left. */
  readonly rank: readonly (number | string)[]
}

/** Of one subject and predicate; each note is on its own. */
function keyOf({ id, subject, predicate }: Fact): string {
  return subject === null ? id : JSON.stringify([subject, predicate])
}

function sentenceOf(group: readonly Fact[], known: ReadonlyMap<string, number>): Sentence {
  const oldest = group.toSorted((a, b) => compare([a.learnedAt, a.id], [b.learnedAt, b.id]))
  const { subject } = oldest[0] ?? { subject: null }
  const sources = oldest.flatMap((fact) => fact.sources)
  const trust = lowestTrust(oldest.map((fact) => fact.trust))
  const newest = Math.max(...oldest.map(({ learnedAt }) => Date.parse(learnedAt)))
  return {
    line: `${ended(told(oldest))} [${namesOf(sources)}]`,
    trust,
    facts: oldest.map(({ id }) => id),
    messages: sources.flatMap((source) =>
      source.type === 'message' ? [{ session: source.session, id: source.id }] : [],
    ),
    rank: [
      subject?.toLowerCase() === USER ? 0 : 1,
      -(known.get(subject ?? '') ?? 0),
      subject ?? '',
      -trust,
      -Math.max(...oldest.map(({ sourceCount }) => sourceCount)),
      -newest,
      oldest[0]?.id ?? '',
    ],
  }
}

/** Those that say what their subject and predicate say, as one sentence; notes have words of their own. */
function told(group: readonly Fact[]): string {
  const [{ subject, predicate } = { subject: null, predicate: '' }] = group
  const beginning = `${subject} ${predicate.replaceAll('_', ' ')} `
  const texts = group.map(({ text }) => text)
  if (subject === null || !texts.every((text) => text.startsWith(beginning))) return texts.join('; ')
  const objects = texts.map((text) => text.slice(beginning.length))
  return plainSentence(subject, predicate, objects)
}

function ended(sentence: string): string {
  const [first = '', ...rest] = sentence.trim()
  const whole = `${first.toUpperCase()}${rest.join('')}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

/** The conversations that it comes from, or who said so. */
function namesOf(sources: Fact['sources']): string {
  const names = [
    ...new Set(
      sources.map((source) =>
        source.type === 'message' ? source.session : source.type === 'fact' ? `fact ${source.id}` : source.channel,
      ),
    ),
  ]
  const more = names.length - SOURCES_NAMED_MAX
  return [...names.slice(0, SOURCES_NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]
    if (other !== undefined && one !== other) return one < other ? -1 : 1
  }
  return 0
}
