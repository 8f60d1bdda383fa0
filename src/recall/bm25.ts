/** Robertson's usual constants; chat is short, and neither moved the figures by more than noise. */
const K1 = 1.2
const B = 0.75
/** The length that stored impacts are measured against: about a message of a chat. Fixed, so that a row never depends on its neighbours. */
const REFERENCE_WORDS = 18
const WEIGHT_PER_OCCURRENCE = 5

/** How much occurrences of a term count in a text of this length, from 0 to 2.2. */
export function saturation(count: number, length: number, averageLength: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength))
}

export function occurrences(weight: number): number {
  return weight / WEIGHT_PER_OCCURRENCE
}

/** The same in a byte: the order of the stored postings. */
export function impactOf(weight: number, length: number): number {
  return Math.round((saturation(occurrences(weight), length, REFERENCE_WORDS) / (K1 + 1)) * 255)
}

export function fromImpact(impact: number): number {
  return (impact / 255) * (K1 + 1)
}

/** Inverse document frequency, never below a little: a word that stands everywhere still says something. */
export function idf(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}
