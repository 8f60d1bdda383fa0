import { type Pattern, wordPattern } from './pattern.ts'
import { takeName, takePlace } from './take.ts'

const END = String.raw`(?=\s{0,2}(?:[.,;!)]|$)|\s(?:and|but|so|now|already|und|aber)\b)`
const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
const PLAYED =
  'piano|guitar|bass|bass guitar|drums|violin|viola|cello|double bass|harp|flute|clarinet|oboe|saxophone|sax|trumpet|trombone|tuba|horn|french horn|organ|keyboard|ukulele|banjo|mandolin|accordion|harmonica|recorder|bagpipes|sitar|tennis|table tennis|football|soccer|basketball|baseball|volleyball|handball|hockey|ice hockey|rugby|cricket|golf|badminton|squash|padel|chess|poker|bridge|go|darts|water polo|lacrosse|softball'
const LANGUAGES =
  'english|german|french|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|arabic|hebrew|persian|farsi|hindi|urdu|bengali|tamil|thai|vietnamese|indonesian|malay|tagalog|mandarin|cantonese|chinese|japanese|korean|latin|swahili|catalan|basque|welsh|irish|croatian|serbian|slovenian|estonian|latvian|lithuanian|esperanto|sign language|rust|go|haskell|python|kotlin|swift|elixir|clojure|typescript|javascript|sql'
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)'

/** A journey with its destination and its date. */
const JOURNEY = new RegExp(
  String.raw`^(?:flying|travell?ing|going|moving|driving) to \p{Lu}[\p{L} ]{1,30}? (?:in|on|from) (?:\d{1,2}(?:st|nd|rd|th)? ${MONTH}|${MONTH}(?: \d{1,2}(?:st|nd|rd|th)?)?)(?: \d{4})?(?= {0,2}(?:[.,;!)]|$))`,
  'iu',
)

/** What else people say of themselves that lasts longer than a chat. */
export const life: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:(?<age>\d{1,3})(?: years? old| yo)|(?<bare>1[6-9]|[2-9]\d|(?:${TENS})(?:-(?:one|two|three|four|five|six|seven|eight|nine))?))${END}`,
    ),
    claim: ({ groups }) => ({ predicate: 'age', object: groups['age'] ?? groups['bare'] ?? '' }),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i (?:also )?play (?:the )?(?<what>${PLAYED})(?:(?:, (?:the )?(?<second>${PLAYED}))?,? and (?:the )?(?<third>${PLAYED}))?(?:${END}|(?=\s(?:on|in|at|every|with|for)\b))`,
    ),
    claim: ({ groups }) =>
      [groups['what'], groups['second'], groups['third']].flatMap((what) =>
        what === undefined ? [] : [{ predicate: 'plays', object: what.toLowerCase() }],
      ),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:currently |now |still )?(?:learning|trying to learn) (?:to speak |to play (?:the )?)?(?<what>${LANGUAGES}|${PLAYED})(?:${END}|(?=\s(?:on|in|at|with|for|these|right)\b))`,
    ),
    claim: ({ groups }) => ({ predicate: 'learning', object: groups['what'] ?? '' }),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:currently )?training for (?:an? |the |my )?(?:first |second )?(?<what>[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?)(?:${END}|(?=\s(?:in|on|next)\b))`,
    ),
    claim: ({ groups }) => ({ predicate: 'training_for', object: groups['what'] ?? '' }),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i drive an? (?:old |used |red |blue |black |white |\d{4} )?(?=\p{Lu}|\d)`),
    object: (sentence, from) => {
      const text = /^\p{Lu}[\p{L}\d-]{1,20}(?: (?:\p{Lu}[\p{L}\d-]{0,20}|\d[\p{L}\d]{0,6})){0,3}/u.exec(
        sentence.slice(from),
      )?.[0]
      return text === undefined ? undefined : { text, end: from + text.length }
    },
    after: wordPattern(END),
    claim: ({ object }) => ({ predicate: 'drives', object }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:i have|i~ve got|i own) an? (?:new |old )?)(?<what>(?:\p{Lu}|i(?=P))[\p{L}]{1,20}(?: \p{Lu}[\p{L}\d]{0,20}){0,2} [\p{L}]{0,3}\d[\p{L}\d-]{0,8}(?: (?:Pro|Max|Plus|Ultra|Mini))?)${END}`,
    ),
    claim: ({ groups }) => ({ predicate: 'has', object: groups['what'] ?? '' }),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i(?: am|~m) (?:happily |recently |newly )?(?<what>married|divorced|widowed|engaged|separated)(?=\s{0,2}(?:[.,;!)]|$)|\s(?:and|but|with)\b)`,
    ),
    claim: ({ groups }) => ({ predicate: 'marital_status', object: (groups['what'] ?? '').toLowerCase() }),
    confidence: 0.88,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i was born in (?<year>(?:19|20)\d\d)(?!\d)`),
    claim: ({ groups }) => ({ predicate: 'birth_year', object: groups['year'] ?? '' }),
    confidence: 0.93,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:i|we) (?:usually |always )?fly (?:out of|from)\s`),
    object: takePlace,
    claim: ({ object }) => ({ predicate: 'flies_from', object, objectType: 'place' }),
    confidence: 0.8,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:i(?: am|~m)|we(?: are|~re)) (?=(?:flying|travell?ing|going|moving|driving) to\s)`),
    object: (sentence, from) => {
      const found = JOURNEY.exec(sentence.slice(from))?.[0]
      return found === undefined ? undefined : { text: found, end: from + found.length }
    },
    claim: ({ object }) => ({ predicate: 'plans', object }),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:we are|we~re) a (?:team|company|startup|family|group) of (?<size>\d{1,5}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty)${END}`,
    ),
    claim: ({ groups }) => ({ predicate: 'team_size', object: groups['size'] ?? '' }),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`i (?:maintain|wrote|founded|run|own) an? (?:\p{L}{2,14} ){0,2}(?<what>library|package|framework|podcast|blog|newsletter|shop|company|startup|charity|restaurant|caf[eé]|bakery|band|channel) (?:called|named)\s`,
    ),
    object: takeName,
    claim: ({ object, groups }) => ({ predicate: (groups['what'] ?? '').toLowerCase(), object }),
    confidence: 0.85,
  },
]
