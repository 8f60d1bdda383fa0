import { isAllergen } from './allergens.ts'
import { kinPredicate, kinWords } from './kin.ts'
import { type Pattern, type PatternMatch, listItems, wordPattern } from './pattern.ts'
import { takePhrase, takePlace } from './take.ts'

const REL = String.raw`(?:my|our) (?:older |elder |younger |little |big |twin |oldest |youngest )?(?<rel>${kinWords})`
const END = String.raw`(?=\s{0,2}(?:[.,;!)]|$)|\s(?:and|but|with|now|since|because)\b)`

/** `brother_lives_in`: whoever is meant has no name here. */
function ofKin({ groups }: Pick<PatternMatch, 'groups'>, predicate: string): string {
  return `${kinPredicate(groups['rel'] ?? '')}_${predicate}`
}

/** Where relatives live and what they cannot eat, where they are not named. */
export const kinFacts: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(String.raw`${REL} (?:now |currently |still )?lives in\s`),
    object: takePlace,
    after: wordPattern(END),
    claim: ({ object, groups }) => ({ predicate: ofKin({ groups }, 'lives_in'), object, objectType: 'place' }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?<rel>parents|grandparents) (?:now |currently |still |both )?live in\s`),
    object: takePlace,
    after: wordPattern(END),
    claim: ({ object, groups }) => ({
      predicate: `${(groups['rel'] ?? '').toLowerCase()}_live_in`,
      object,
      objectType: 'place',
    }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`${REL} (?:is|just turned|turned) (?<age>\d{1,3})(?: years? old)?${END}`),
    claim: ({ groups }) => ({ predicate: ofKin({ groups }, 'age'), object: groups['age'] ?? '' }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`${REL} is (?:also |very |severely ){0,2}allergic to\s`),
    object: takePhrase,
    claim: ({ object, groups }) =>
      listItems(object)
        .filter(isAllergen)
        .map((item) => ({ predicate: ofKin({ groups }, 'allergic_to'), object: item })),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`${REL} is (?:an? )?(?<diet>vegetarian|vegan|pescatarian|lactose[- ]intolerant|diabetic|coeliac|celiac)${END}`,
    ),
    claim: ({ groups }) => {
      const what = (groups['diet'] ?? '').toLowerCase()
      return {
        predicate: ofKin({ groups }, /^(?:veg|pesc)/u.test(what) ? 'diet' : 'health_condition'),
        object: what,
      }
    },
    confidence: 0.88,
  },
]
