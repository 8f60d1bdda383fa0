import { type Pattern, wordPattern } from './pattern.ts'
import { takeRest } from './take.ts'

const REMEMBER = String.raw`(?:(?:please|bitte|also|and|oh),? ){0,2}(?:(?:please )?(?:remember|note|keep in mind|don~t forget|do not forget|make a note|take a note)(?: for (?:later|the future|next time))?(?:,? that(?!\s(?!(?:on|in|at|by|for|with|from|after|before|the|an?|my|our|your|his|her|their|all|every)\b)(?:[\p{L}-]{2,20}\s){1,2}(?:we|you|i|they|he|she|when|where|from|which|that|who)\b)(?!\s(?:time|day|night|summer|one)\b)|:)|(?:remember|note|save)(?= (?:my|i|i~m|our|we)\b)|(?:merk(?:e)? dir|denk daran|vergiss nicht|notier(?:e)? dir|behalte im kopf)(?: bitte)?(?:, dass|:| dass))\s`

/** What the user asks to be kept, word by word. Contact data is kept in this way only: nobody else is asked. */
export const notes: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(`${REMEMBER}(?:my|our) (?:(?:new|work|private|personal|home) )?(?:e-?mail(?: address)?) is `),
    object: (sentence, from) => {
      const found = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/u
        .exec(sentence.slice(from))?.[0]
        .replace(/\.$/u, '')
      return found === undefined ? undefined : { text: found, end: from + found.length }
    },
    claim: ({ object }) => ({ predicate: 'email', object }),
    confidence: 0.98,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      `${REMEMBER}(?:my|our) (?:(?:new|work|private|mobile|cell|home|phone|telephone) ){0,2}(?:phone|number|phone number|mobile) is `,
    ),
    object: (sentence, from) => {
      const found = /^\+?[\d(][\d ()/.-]{4,24}\d/u.exec(sentence.slice(from))?.[0]
      return found === undefined ? undefined : { text: found, end: from + found.length }
    },
    claim: ({ object }) => ({ predicate: 'phone', object }),
    confidence: 0.98,
  },
  {
    about: 'speaker',
    lead: wordPattern(`${REMEMBER}(?:my|our) (?:(?:new|work|private|home|postal) )?address is `),
    object: takeRest,
    claim: ({ object }) => ({ predicate: 'address', object }),
    confidence: 0.95,
  },
  {
    about: 'speaker',
    lead: wordPattern(REMEMBER),
    object: takeRest,
    claim: ({ object }) => ({ predicate: 'note', object }),
    confidence: 0.9,
  },
]
