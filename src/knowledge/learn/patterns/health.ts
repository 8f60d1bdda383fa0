import { type Pattern, listItems, wordPattern } from './pattern.ts'
import { takePhrase } from './take.ts'

const DIET: Readonly<Record<string, string>> = {
  vegetarier: 'vegetarian',
  vegetarierin: 'vegetarian',
  vegetarisch: 'vegetarian',
  veganer: 'vegan',
  veganerin: 'vegan',
}

/** What one cannot or does not eat, and what one must live with. */
export const health: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:also |very |severely |highly |badly |deathly |quite ){0,2}allergic to|ich bin (?:sehr |stark |leicht |auch ){0,2}allergisch (?:gegen|auf))\s`,
    ),
    object: takePhrase,
    claim: ({ object }) => listItems(object).map((item) => ({ predicate: 'allergic_to', object: item })),
    confidence: 0.96,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i have (?:an?|a severe|a bad) (?<what>\p{L}{3,20}(?: \p{L}{3,20})?) allergy`),
    claim: ({ groups }) => ({ predicate: 'allergic_to', object: groups['what'] ?? '' }),
    confidence: 0.93,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:an? )?(?:strict |lifelong |also )?(?<english>vegetarian|vegan|pescatarian|pescetarian)|ich bin (?:eine? )?(?<german>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch))(?=[\s.,!;]|$)`,
    ),
    claim: ({ groups }) => {
      const diet = (groups['english'] ?? groups['german'] ?? '').toLowerCase()
      return { predicate: 'diet', object: DIET[diet] ?? diet }
    },
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:an? )?|i have |i suffer from |ich bin )(?<what>lactose[- ]intolerant|gluten[- ]intolerant|c(?:o)?eliac disease|c(?:o)?eliac|diabetic|diabetes|asthma|asthmatic|epilepsy|colou?r[- ]?blind|laktoseintolerant|diabetiker(?:in)?)(?=[\s.,!;]|$)`,
    ),
    claim: ({ groups }) => ({ predicate: 'health_condition', object: (groups['what'] ?? '').toLowerCase() }),
    confidence: 0.92,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:is (?:very |severely )?allergic to|ist (?:sehr |stark )?allergisch (?:gegen|auf))\s`,
    ),
    object: takePhrase,
    claim: ({ subject, object }) =>
      listItems(object).map((item) => ({
        ...(subject === undefined ? {} : { subject }),
        predicate: 'allergic_to',
        object: item,
        subjectType: 'person' as const,
      })),
    confidence: 0.88,
  },
]
