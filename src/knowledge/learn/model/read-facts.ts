import { defined } from '../../../domain/defined.ts'
import { isPlainObject } from '../../../domain/check-json.ts'
import { findJSON } from '../../../model/find-json.ts'
import { isOrder } from '../../../model/is-order.ts'
import { isRefusal } from '../../../model/is-refusal.ts'
import { FACTS_PER_MESSAGE_MAX } from '../limit.ts'
import type { Learned, Material } from '../lesson.ts'
import { holdsSecret } from '../holds-secret.ts'
import { isFounded, isQuoted, isSpokenOf } from './founded.ts'
import { knownPredicate } from './known-predicate.ts'
import type { ShownFact } from './prompt.ts'

/** Items beyond that are not looked at. */
const ITEMS_MAX = 2_000
const SUBJECT_CHARACTERS_MAX = 200
const OBJECT_CHARACTERS_MAX = 1_000
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,12}Z)?$/
const CONFIDENCE = 0.7
const DAY_MS = 86_400_000
const TAG = /<\/?[a-z_][^<>]{0,80}>/i

export type ParsedLesson =
  | { readonly ok: true; readonly learned: readonly Learned[]; readonly refused: number }
  | { readonly ok: false; readonly reason: 'refused' | 'empty' | 'unparsable' | 'wrong-shape' | 'unfounded' }

/** What a model was shown. */
export interface ShownMessages {
  /** Those it was asked about: quotes come from them. */
  readonly materials: readonly Material[]
  readonly beside: readonly Material[]
  readonly known: readonly ShownFact[]
}

/** Reads an answer like input: what has no message, no quote of it, or words that nobody said is refused, item by item. */
export function readLearnedFacts(text: string, shown: ShownMessages): ParsedLesson {
  const { materials } = shown
  if (text.trim() === '') return { ok: false, reason: 'empty' }
  const value = findJSON(text)
  if (value === undefined) return { ok: false, reason: isRefusal(text) ? 'refused' : 'unparsable' }
  const items = isPlainObject(value) && Object.hasOwn(value, 'facts') ? value['facts'] : undefined
  if (!Array.isArray(items)) return { ok: false, reason: 'wrong-shape' }
  const byId = new Map(materials.map((material) => [material.id, material]))
  const learned = items.slice(0, ITEMS_MAX).flatMap((item) => readFact(item, byId, shown) ?? [])
  if (items.length > 0 && learned.length === 0) return { ok: false, reason: 'unfounded' }
  return { ok: true, learned, refused: items.length - learned.length }
}

function readFact(
  item: unknown,
  byId: ReadonlyMap<string, Material>,
  { materials, beside, known }: ShownMessages,
): Learned | undefined {
  if (!isPlainObject(item)) return undefined
  const material = typeof item['message'] === 'string' ? byId.get(item['message']) : undefined
  const { quote } = item
  if (material === undefined || typeof quote !== 'string' || !isQuoted(quote, material)) return undefined
  const subject = shortText(item['subject'], SUBJECT_CHARACTERS_MAX)
  const object = shortText(item['object'], OBJECT_CHARACTERS_MAX)
  const predicate = typeof item['predicate'] === 'string' ? knownPredicate(item['predicate']) : undefined
  if (subject === undefined || object === undefined || predicate === undefined) return undefined
  const over = item['over'] === true
  const texts = [...materials.filter(({ seq }) => seq < material.seq), ...answered(material, beside)].flatMap(
    (one) => one.texts,
  )
  // What is over was known before: its words need not be said again.
  const words = over ? [...texts, ...known.map((fact) => fact.object)] : texts
  if (!isFounded(object, material, words) || !isSpokenOf(subject, material, texts)) return undefined
  if (holdsSecret(quote) || holdsSecret(object)) return undefined
  const { id, seq, role, at } = material
  const validFrom = dateOf(item['validFrom'])
  const validTo = afterDay(validFrom, dateOf(item['validTo']))
  return {
    subject,
    predicate,
    object,
    ...defined({ validFrom, validTo }),
    ...(over && { closes: true }),
    quote,
    confidence: confidenceOf(item['confidence']),
    source: { id, seq, role, at },
  }
}

/** What a message answers: what the other side said right before it, and nothing that was said longer ago. */
function answered({ seq }: Material, beside: readonly Material[]): readonly Material[] {
  return beside
    .filter((one) => one.seq < seq)
    .toSorted((a, b) => a.seq - b.seq)
    .slice(-1)
}

/** One line, of bounded length, that gives nobody orders. */
function shortText(value: unknown, charactersMax: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return text === '' || text.length > charactersMax || isOrder(text) || TAG.test(text) ? undefined : text
}

function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** What began and ended on one day lasted for that day. */
function afterDay(from: string | undefined, to: string | undefined): string | undefined {
  return to === undefined || to !== from ? to : new Date(Date.parse(to) + DAY_MS).toISOString()
}

function confidenceOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : CONFIDENCE
}

/** What one answer may reasonably hold. */
export function factsMax(materials: readonly Material[]): number {
  return Math.min(100, materials.length * FACTS_PER_MESSAGE_MAX)
}
