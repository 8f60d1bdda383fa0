import type { ForgottenReport, Sample } from '../api/upkeep.ts'
import { SAMPLE_BYTES_MIN } from '../domain/check-sample.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { covers } from '../domain/key.ts'
import type { ErasureRow, SamplePattern } from '../ports/erasure-store.ts'
import { type Analyser, loadAnalyser } from '../recall/analyser.ts'
import { normaliseWord } from '../recall/normalise-word.ts'
import type { ForgettingWiring } from './wiring.ts'

/** A stem as short as that stands in other words too. */
const STEM_CHARACTERS_MIN = 6
/** Of a vector: four numbers, which no other has in this order. */
const VECTOR_BYTES = 16

export async function verifyForgotten(
  { store }: ForgettingWiring,
  receipt: ForgetReceipt,
  samples: readonly Sample[],
): Promise<ForgottenReport> {
  const analyser = await loadAnalyser()
  const patterns = samples.flatMap((sample, index) => patternsOf(analyser, sample, index))
  const pending = (await store.erasure.unfinished()).some((row) => isPartOf(receipt, row))
  const found = await store.erasure.search(patterns)
  return { ok: found.length === 0 && !pending, id: receipt.id, samples: samples.length, pending, found }
}

/**
 * The receipt of a whole scope stands for many erasures, each with an id of its own. Only the id of a receipt was checked: it may come from
 * a client of another version.
 */
function isPartOf({ id, scope, pending }: Readonly<Record<keyof ForgetReceipt, unknown>>, row: ErasureRow): boolean {
  const waits = Array.isArray(pending) && pending.includes('pages')
  return row.id === id || (waits && typeof scope === 'string' && covers(scope, row.scope))
}

function patternsOf(analyser: Analyser, sample: Sample, index: number): readonly SamplePattern[] {
  const forms = typeof sample === 'string' ? textForms(analyser, sample) : vectorForms(sample)
  const distinct = new Map<string, SamplePattern>()
  for (const [form, bytes] of forms) {
    const key = Buffer.from(bytes).toString('base64')
    if (bytes.length >= SAMPLE_BYTES_MIN && !distinct.has(key)) distinct.set(key, { sample: index, form, bytes })
  }
  return [...distinct.values()]
}

function textForms(analyser: Analyser, text: string): readonly (readonly [string, Uint8Array])[] {
  const json = JSON.stringify(text).slice(1, -1)
  const forms: (readonly [string, Uint8Array])[] = [
    ['utf-8', Buffer.from(text)],
    ['json', Buffer.from(json)],
    ['json', Buffer.from(JSON.stringify(json).slice(1, -1))],
    ['utf-16', Buffer.from(text, 'utf16le')],
    ['folded', Buffer.from(normaliseWord(text))],
    ['folded', Buffer.from(text.toUpperCase())],
    ['base64', Buffer.from(Buffer.from(text).toString('base64').slice(0, -4))],
  ]
  if (/\s/.test(text.trim())) return forms
  // Pieces of an identifier stand in others too.
  const tokens = analyser.tokens(text).filter(({ kind }) => kind !== 'piece')
  const stems = tokens.flatMap((token) => analyser.terms(token, analyser.language(text, tokens)))
  const long = stems.filter((stem) => stem.length >= STEM_CHARACTERS_MIN)
  return [...forms, ...long.map((stem) => ['stem', Buffer.from(stem)] as const)]
}

/** As it was given, and of length 1, as vectors are stored. */
function vectorForms(sample: Exclude<Sample, string>): readonly (readonly [string, Uint8Array])[] {
  if (sample instanceof Uint8Array) return [['bytes', sample]]
  const values = Array.from(sample)
  const length = Math.hypot(...values)
  const unit = new Float32Array(values.map((value) => (length === 0 ? 0 : value / length)))
  return [new Float32Array(values), unit].map(
    ({ buffer }) => ['float32', new Uint8Array(buffer).slice(0, VECTOR_BYTES)] as const,
  )
}
