import { isAllergen } from './allergens.ts'
import { type Pattern, type PatternClaim, listItems, wordPattern } from './pattern.ts'
import { takePhrase, takeShort } from './take.ts'

const DIET: Readonly<Record<string, string>> = {
  vegetarier: 'vegetarian',
  vegetarierin: 'vegetarian',
  vegetarisch: 'vegetarian',
  veganer: 'vegan',
  veganerin: 'vegan',
}

/** Those of the things listed that are known as allergens. */
function allergies(list: string): readonly PatternClaim[] {
  return listItems(list)
    .filter(isAllergen)
    .map((item) => ({ predicate: 'allergic_to', object: item }))
}

/** What one cannot or does not eat, and what one must live with. */
export const health: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m) (?:also |very |severely |highly |badly |deathly |quite ){0,2}allergic to|ich bin (?:sehr |stark |leicht |auch ){0,2}allergisch (?:gegen|auf))\s`,
    ),
    object: takePhrase,
    claim: ({ object }) => allergies(object),
    confidence: 0.96,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`ich bin (?:sehr |stark |leicht |auch ){0,2}gegen (?<what>\p{L}{3,20}(?:(?:, | und )\p{L}{3,20}){0,4}) allergisch`,
    ),
    claim: ({ groups }) => allergies(groups['what'] ?? ''),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i have (?:an? )(?:severe |bad |mild |strong |serious |life-threatening ){0,2}(?<what>\p{L}{3,20}(?: \p{L}{3,20})?) allergy`,
    ),
    claim: ({ groups }) => allergies(groups['what'] ?? ''),
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
      String.raw`(?:i(?: am|~m) (?:an? )?|i have |i suffer from |ich bin )(?<what>type [12] diabetes|lactose[- ]intolerant|gluten[- ]intolerant|c(?:o)?eliac disease|c(?:o)?eliac|diabetic|diabetes|asthma|asthmatic|epilepsy|colou?r[- ]?blind|deaf|blind|hard of hearing|dyslexic|dyslexia|autistic|autism|adhd|migraines|high blood pressure|laktoseintolerant|diabetiker(?:in)?)(?: and (?<second>(?:type [12] )?diabetes|asthma|epilepsy|migraines|adhd|autism|dyslexia|high blood pressure|c(?:o)?eliac disease))?(?=[\s.,!;]|$)`,
    ),
    claim: ({ groups }) =>
      [groups['what'], groups['second']].flatMap((what) =>
        what === undefined ? [] : [{ predicate: 'health_condition', object: what.toLowerCase() }],
      ),
    confidence: 0.92,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i (?:don~t|do not|never|can~t|cannot) (?<verb>eat|drink)|ich (?<german>esse|trinke) keine?n?)\s(?!(?:humble pie|my words|crow|out|well|enough|much|anything|alone|at|in|before|after|it|that|this|here|there|lunch|breakfast|dinner)\b)`,
    ),
    object: takeShort,
    claim: ({ object, groups }) => {
      const verb = groups['verb'] ?? (groups['german']?.toLowerCase() === 'trinke' ? 'drink' : 'eat')
      return listItems(object).map((item) => ({ predicate: `does_not_${verb.toLowerCase()}`, object: item }))
    },
    confidence: 0.9,
  },
  {
    about: 'named',
    lead: wordPattern(
      String.raw`\s(?:is (?:very |severely )?allergic to|ist (?:sehr |stark )?allergisch (?:gegen|auf))\s`,
    ),
    object: takePhrase,
    claim: ({ subject, object }) => allergies(object).map((claim) => ({ ...claim, subject, subjectType: 'person' })),
    confidence: 0.88,
  },
]
