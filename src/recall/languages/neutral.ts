import { type LanguagePack, NEVER } from './language-pack.ts'

/** For a language nobody wrote a pack for: words as they stand; how rare they are is all that is known of them. */
export const neutral: LanguagePack = {
  name: 'neutral',
  stopWords: new Set(),
  scaffold: new Set(),
  steering: new Set(),
  irregular: new Map(),
  months: new Map(),
  seasons: new Map(),
  capitalsAreNames: true,
  cues: {
    time: /\b(?:19|20)\d\d\b|\d{1,2}[:.]\d{2}/,
    number: /\p{N}/u,
    place: NEVER,
    person: NEVER,
    cause: NEVER,
    firstPerson: NEVER,
  },
  asked: [],
  asker: NEVER,
  assistant: NEVER,
}
