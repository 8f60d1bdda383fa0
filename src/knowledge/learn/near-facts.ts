import { highestTrust, trustOfMessage } from '../../domain/trust.ts'
import { objectText } from '../fact-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { factsNear } from '../facts-near.ts'
import { USER } from '../user.ts'
import type { Material } from './lesson.ts'
import type { ShownFact } from './model/prompt.ts'

const PHRASES_MAX = 200
const FACTS_MAX = 50
/** Names are written with a capital in most languages, alone or two together; where there are none, every word may be one. */
const NAMES = /\p{Lu}[\p{L}\p{N}'’-]{0,40}(?:\s\p{Lu}[\p{L}\p{N}'’-]{0,40})?/gu
const WORDS = /[\p{L}\p{N}]{2,40}/gu

/** What is known about the speakers and whoever the messages name, so that a model adds to it and does not say it again. */
export async function nearFacts(
  knowledge: Knowledge,
  scope: string,
  materials: readonly Material[],
): Promise<readonly ShownFact[]> {
  const facts = await factsNear(knowledge, scope, phrasesOf(materials), { limit: FACTS_MAX })
  // What is trusted less than the messages has no word in what they are said to mean.
  const level = highestTrust(materials.map(trustOfMessage))
  const trusted = facts.filter(({ trust }) => trust >= level)
  return trusted.slice(0, FACTS_MAX).map((fact) => ({
    subject: fact.subject ?? USER,
    predicate: fact.predicate,
    object: objectText(fact.object),
  }))
}

function phrasesOf(materials: readonly Material[]): readonly string[] {
  const phrases = new Set([USER, ...materials.flatMap(({ name }) => (name === undefined ? [] : [name]))])
  for (const text of materials.flatMap(({ texts }) => texts)) {
    const names = [...text.matchAll(NAMES)].flatMap(([name]) => [name, ...name.split(/\s/)])
    const words = names.length > 0 ? names : [...text.matchAll(WORDS)].map(([word]) => word)
    for (const phrase of words) if (phrases.size < PHRASES_MAX) phrases.add(phrase)
  }
  return [...phrases]
}
