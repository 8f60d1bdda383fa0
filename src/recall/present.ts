import type { Shelf } from '../ports/recall-store.ts'
import { NearCopies } from './near-copies.ts'
import { seqOf } from './place.ts'
import { Places } from './places.ts'
import type { Ranked } from './rank.ts'
import type { Question } from './read-question.ts'
import { Reader, type Shown } from './reader.ts'
import { relevanceOf } from './relevance.ts'
import type { RecallWiring, RecallRequest } from './recall.ts'
import type { DropReason, RecallItem, Recalled } from '../api/recall.ts'
import { unread } from './unread.ts'
import { whyOf } from './why.ts'

interface Found {
  readonly question: Question
  readonly ranked: readonly Ranked[]
  readonly shelves: readonly Shelf[]
  /** Of sessions, by their threads, as far as they are known. */
  readonly names: ReadonlyMap<number, string | null>
}

const DROPPED_MAX = 200

/** The best of what was ranked, read from the log: each memory once, near-duplicates folded, as many as asked for or as fit. */
export async function showBest(
  parts: RecallWiring,
  request: RecallRequest & { readonly limit: number; readonly line: number },
  { question, ranked, shelves, names }: Found,
): Promise<Recalled> {
  const reader = new Reader(parts, { ...request, question }, { shelves, names })
  const copies = new NearCopies()
  const items: RecallItem[] = []
  const sourcesOf = new Map<string, readonly string[]>()
  const dropped: { readonly one: Ranked; readonly reason: DropReason }[] = []
  let left = request.budget ?? Number.POSITIVE_INFINITY
  const drop = (one: Ranked, reason: DropReason): void => {
    if (request.explain === true && dropped.length < DROPPED_MAX) dropped.push({ one, reason })
  }
  const memories = eachOnce(ranked)
  for (const [at, one] of memories.entries()) {
    const reason = unread(one, question, request)
    // Sorted by score, not by worth: what is not worth showing may stand above what is.
    if (reason === 'below-line') {
      drop(one, reason)
      continue
    }
    if (items.length >= request.limit) {
      if (request.explain !== true) break
      drop(one, 'below-limit')
      continue
    }
    if (reason !== undefined) {
      drop(one, reason)
      continue
    }
    if (!reader.isReading(one)) reader.ahead(memories.slice(at), request.limit - items.length)
    const shown = await reader.read(one)
    if (typeof shown === 'string') {
      drop(one, shown)
      continue
    }
    if (shown.from?.some((id) => request.isVisible?.(id)) === true) {
      drop(one, 'already-shown')
      continue
    }
    const source = { ...(await reader.source(one.passage)), id: shown.id }
    const copy = copies.find(one.passage, shown.text)
    const original = copy === undefined ? undefined : items[copy]
    if (copy !== undefined && original !== undefined) {
      items[copy] = { ...original, copies: [...(original.copies ?? []), source] }
      drop(one, 'duplicate')
      continue
    }
    const tokens = await parts.count([shown.text, shown.before ?? '', shown.after ?? ''].join('\n').trim())
    if (tokens > left) {
      drop(one, 'over-budget')
      continue
    }
    left -= tokens
    copies.add(one.passage, shown.text)
    if (shown.from !== undefined) sourcesOf.set(shown.id, shown.from)
    items.push({ kind: reader.kind(one.passage), ...itemOf(one, question, shown), source, tokens })
  }
  return {
    items: request.relevant === true ? eachSaidOnce(items, sourcesOf) : items,
    dropped: await Promise.all(dropped.map((each) => reader.dropped(each))),
  }
}

function itemOf(one: Ranked, question: Question, found: Shown): Omit<RecallItem, 'kind' | 'source' | 'tokens'> {
  const { id: _, from: __, ...shown } = found
  return { ...shown, score: one.score, relevance: relevanceOf(one, question), why: whyOf(one, question) }
}

/** Whoever reads a message does not need the fact that was learned from it. */
function eachSaidOnce(
  items: readonly RecallItem[],
  sourcesOf: ReadonlyMap<string, readonly string[]>,
): readonly RecallItem[] {
  const said = new Set(items.map(({ source }) => source.id))
  return items.filter(({ source }) => sourcesOf.get(source.id)?.some((id) => said.has(id)) !== true)
}

/** Each memory by the best of its passages: those of one message, fold or fact are one memory. */
function eachOnce(ranked: readonly Ranked[]): readonly Ranked[] {
  const messages = new Places<true>()
  const others = new Set<string>()
  return ranked.filter(({ passage: { thread, place, reference } }) => {
    if (reference === '') {
      const message = { thread, place: seqOf(place) }
      if (messages.get(message) === true) return false
      messages.set(message, true)
      return true
    }
    const key = `${thread} ${reference}`
    if (others.has(key)) return false
    others.add(key)
    return true
  })
}
