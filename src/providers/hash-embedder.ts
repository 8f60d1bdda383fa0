import { normalizeText } from '../domain/normalize-text.ts'
import type { Embedder } from '../ports/embedder.ts'

const DIMENSIONS = 384
/** A bound: what a passage is about is said by then. */
const CHARACTERS_MAX = 8_000
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Written without spaces: a run of these is no word, its short pieces are. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WEIGHTS = { word: 1, pair: 0.5, piece: 0.3 } as const

/**
 * An embedder without a model: words, pairs of words and pieces of words, each hashed to one of 384 dimensions with a sign.
 * It knows no meaning, but forgives inflection and spelling errors, costs nothing and answers the same everywhere.
 */
export function hashEmbedder(): Embedder {
  return {
    name: 'daybook-hash-1',
    dimensions: DIMENSIONS,
    embed: async ({ texts }) => ({ vectors: texts.map(hashText) }),
  }
}

function hashText(text: string): Float32Array {
  const counts = new Map<string, { count: number; weight: number }>()
  const note = (feature: string, weight: number): void => {
    const entry = counts.get(feature)
    if (entry === undefined) counts.set(feature, { count: 1, weight })
    else entry.count += 1
  }
  const words =
    normalizeText(text.slice(0, CHARACTERS_MAX), 'NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().match(WORD) ?? []
  for (const [index, word] of words.entries()) {
    for (const piece of piecesOf(word)) note(`p${piece}`, WEIGHTS.piece)
    if (!UNSPACED.test(word)) note(`w${word}`, WEIGHTS.word)
    const next = words[index + 1]
    if (next !== undefined) note(`b${word} ${next}`, WEIGHTS.pair)
  }
  // A text without words has a direction too, far from every other.
  if (counts.size === 0) note('', WEIGHTS.word)
  const vector = new Float32Array(DIMENSIONS)
  for (const [feature, { count, weight }] of counts) {
    const hash = hashOf(feature)
    const at = hash % DIMENSIONS
    // A word that comes often says little more than one that comes twice.
    vector[at] = (vector[at] ?? 0) + (hash & 0x4000_0000 ? 1 : -1) * weight * Math.sqrt(count)
  }
  // Two features may cancel each other out to nothing.
  if (vector.every((value) => value === 0)) vector[0] = 1
  return vector
}

/** Three to five characters with the ends marked, one to two of a script without spaces. */
function piecesOf(word: string): readonly string[] {
  const spaced = !UNSPACED.test(word)
  const characters = [...(spaced ? `<${word}>` : word)]
  const sizes = spaced ? [3, 4, 5] : [1, 2]
  return sizes.flatMap((size) =>
    Array.from({ length: Math.max(0, characters.length - size + 1) }, (_, at) =>
      characters.slice(at, at + size).join(''),
    ),
  )
}

/** FNV-1a over code units, then mixed: its low bits alone are too regular to choose a dimension. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
