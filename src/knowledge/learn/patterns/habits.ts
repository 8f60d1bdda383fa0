import { type Pattern, wordPattern } from './pattern.ts'
import { takeName, takePlace } from './take.ts'

const END = String.raw`(?=\s{0,2}(?:[.,;!)]|$)|\s(?:and|but|so|because|since|for)\b)`
/** What medicines are called. Whatever else is taken every day is none. */
const DRUG =
  /(?:in|ine|ol|ide|ate|one|pril|sartan|statin|zole|pam|lam|oxetine|aline|amide|xin|ium|mab|vir|profen|caine|pine|done|tine)$|^(?:iron|zinc|vitamins?|insulin|ritalin|melatonin|supplements?|painkillers|antidepressants|antihistamines|antibiotics|beta-blockers|statins|steroids)$/iu
const NO_DRUG =
  /^(?:one|none|someone|anyone|everyone|time|wine|line|phone|trine|caffeine|control|alcohol|pride|ride|side|date|routine|machine|magazine|medicine|online|protein|train|again|pain|bargain|margin|cabin|coin|skin|mountain)$/iu

/** What else people tell about their bodies, their degrees and their ways. */
export const habits: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i (?:have to |must |currently )?take (?:\d{1,4} ?mg (?:of )?)?(?<what>[\p{Ll}-]{4,25})(?= (?:every|each) (?:day|morning|evening|night)\b| (?:once|twice|three times) (?:a|per) day\b| daily\b| for my \p{L})`,
    ),
    claim: ({ groups }) =>
      DRUG.test(groups['what'] ?? '') && !NO_DRUG.test(groups['what'] ?? '')
        ? { predicate: 'takes', object: groups['what'] ?? '' }
        : undefined,
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?<height>[12][.,]\d{1,2} ?(?:m|metres?|meters?)|1\d{2} ?cm|[4-7]['’]\d{1,2}["”]?|[4-7] (?:feet|foot)(?: \d{1,2})?) tall${END}`,
    ),
    claim: ({ groups }) => ({ predicate: 'height', object: groups['height'] ?? '' }),
    confidence: 0.9,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`my pronouns are (?<what>\p{L}{2,6}\/\p{L}{2,6}(?:\/\p{L}{2,6})?)${END}`),
    claim: ({ groups }) => ({ predicate: 'pronouns', object: (groups['what'] ?? '').toLowerCase() }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i(?: am|~m) (?<what>left|right)[- ]handed${END}`),
    claim: ({ groups }) => ({ predicate: 'is', object: `${(groups['what'] ?? '').toLowerCase()}-handed` }),
    confidence: 0.9,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i (?:have|hold|got) (?:an?|my) (?<what>(?:phd|ph\.d\.|doctorate|master~?s(?: degree)?|bachelor~?s(?: degree)?|mba|degree) in (?!(?:life|sarcasm|memes|procrastination|common|being|doing|nothing)\b)(?!(?!engineer|nurs|account|market|teach|bank|publish|film)\p{L}{2,20}ing\b)\p{L}{3,20}(?: \p{L}{3,20}){0,2}?)(?=\s{0,2}(?:[.,;!)]|$)|\s(?:from|and|but)\b)`,
    ),
    claim: ({ groups }) => ({ predicate: 'degree', object: groups['what'] ?? '' }),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?<what>german|french|british|english|american|spanish|italian|polish|russian|ukrainian|chinese|japanese|korean|indian|turkish|greek|dutch|danish|swedish|norwegian|finnish|swiss|austrian|australian|canadian|mexican|brazilian|irish|scottish|welsh|portuguese|belgian|czech|hungarian|romanian|bulgarian|croatian|serbian|egyptian|moroccan|nigerian|kenyan|ghanaian|ethiopian|pakistani|bangladeshi|vietnamese|thai|filipino|indonesian|argentinian|chilean|colombian|peruvian|cuban|iranian|iraqi|israeli|lebanese|syrian)(?=\s{0,2}(?:[.!;)]|$)|\s(?:and|but)\b|,\s(?:but|and|i)\b)`,
    ),
    claim: ({ groups }) => ({ predicate: 'nationality', object: groups['what'] ?? '' }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i (?:graduated from|went to(?= \p{Lu}[\p{L} ]{2,30}university)|studied at)\s(?:the )?`,
    ),
    object: takeName,
    claim: ({ object }) => ({ predicate: 'studied_at', object, objectType: 'organization' }),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:our|my) (?<what>office|headquarters|hq|warehouse|workshop|studio|store|shop|data cent(?:er|re)|main office|head office) is (?:located |based )?in\s`,
    ),
    object: takePlace,
    claim: ({ object, groups }) => ({
      predicate: `${(groups['what'] ?? '').toLowerCase().replaceAll(' ', '_')}_in`,
      object,
      objectType: 'place',
    }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i report (?:directly )?to\s(?=\p{Lu})`),
    object: takeName,
    claim: ({ object }) => ({ predicate: 'manager', object, objectType: 'person' }),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i(?: am|~m)|we(?: are|~re)) planning (?:an? |our |my )(?:\p{L}{3,12} )?(?=(?:trip|holiday|vacation|honeymoon|weekend) (?:to|in)\s)(?<what>\p{L}{4,10}) (?<way>to|in)\s`,
    ),
    object: takePlace,
    claim: ({ object, groups }) => ({
      predicate: 'plans',
      object: `${groups['what'] ?? ''} ${groups['way'] ?? ''} ${object}`,
    }),
    confidence: 0.8,
  },
]
