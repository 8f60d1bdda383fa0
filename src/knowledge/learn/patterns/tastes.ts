import { type Pattern, type PatternClaim, listItems, says, wordPattern } from './pattern.ts'
import { takeAnyPhrase, takePhrase, takeShort, takeShortOrList } from './take.ts'

const MUCH = String.raw`(?:really |absolutely |also |just |truly |still |totally |especially |generally |usually |personally |always |do ){0,2}`

/** Who says to love it complains. */
const CHORE =
  /^(?:waiting|being|getting|having|paying|losing|spending|standing|dealing|explaining|repeating|fixing|debugging)\b/iu

/** Said together and meant as one. */
const ONE_THING =
  /\b(?:rock and roll|mac and cheese|fish and chips|salt and pepper|black and white|drum and bass|peace and quiet|gin and tonic|bed and breakfast)\b/iu

/** Several things that somebody likes are several facts. */
function each(predicate: string, object: string): readonly PatternClaim[] {
  const items = ONE_THING.test(object) ? [object] : listItems(object)
  const isList = items.every((item) => item.split(' ').length <= 2)
  return (isList ? items : [object]).map((item) => ({ predicate, object: item }))
}

const likes: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i ${MUCH}(?:like|love|enjoy|adore)|i(?: am|~m) (?:a (?:big|huge|great) fan of|(?:really )?into|fond of)|ich liebe|ich (?:esse|trinke|höre|spiele|lese|schaue|koche) (?:sehr |total |auch ){0,2}gerne?)\s`,
    ),
    object: takeShortOrList,
    // `I like X better` compares, `I like the idea` answers: neither says much about the speaker.
    after: wordPattern(String.raw`(?!\s(?:any ?more|any longer|nicht)\b)`),
    claim: ({ object }) => (CHORE.test(object) ? undefined : each('likes', object)),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich mag (?:sehr |auch |total |besonders |am liebsten ){0,2}`),
    object: takeShort,
    after: wordPattern(String.raw`(?!\s{0,2}(?:sehr |gar |überhaupt )?(?:nicht|kein))`),
    claim: ({ object }) =>
      /\s(?:gar |überhaupt )?nicht\b/iu.test(object) ? undefined : { predicate: 'likes', object },
    confidence: 0.85,
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\s(?:really |also |absolutely )?(?:likes|loves|enjoys|adores|liebt|mag)\s`),
    object: takeShort,
    after: wordPattern(String.raw`(?!\s{0,2}(?:sehr |gar |überhaupt )?(?:nicht|kein))`),
    claim: ({ subject, object }) =>
      subject === undefined || /\snicht\b/iu.test(object)
        ? undefined
        : { subject, predicate: 'likes', object, subjectType: 'person' },
    confidence: 0.75,
    person: 'surely',
  },
]

const dislikes: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:i ${MUCH}(?:hate|dislike|detest|loathe|despise)|i (?:really )?(?:can~t|cannot|can not) stand|i (?:really )?(?:don~t|do not) (?:really |particularly )?(?:like|enjoy)|ich (?:hasse|verabscheue)|ich mag (?:überhaupt |gar )?(?:keine?[nrs]?))\s`,
    ),
    object: takeShortOrList,
    after: wordPattern(String.raw`(?!\s(?:any ?more|any longer|mehr)\b)`),
    claim: ({ object }) => (/\smehr$/iu.test(object) ? undefined : each('dislikes', object)),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich mag\s`),
    object: (sentence, from) => {
      const found =
        /^(?:\p{L}[\p{L}-]{1,30} ){1,3}(?=(?:gar |überhaupt |wirklich )?nicht(?! mehr)(?:[\s.,!;]|$))/iu.exec(
          sentence.slice(from),
        )?.[0]
      const text = found?.trimEnd().replace(/\s(?:gar|überhaupt|wirklich)$/iu, '')
      return text === undefined || /^(?:es|das|dich|ihn|sie|die|der|den|dies)\b/iu.test(text)
        ? undefined
        : { text, end: from + text.length }
    },
    claim: says('dislikes'),
    confidence: 0.85,
  },
  {
    about: 'named',
    lead: wordPattern(String.raw`\s(?:hates|dislikes|can~t stand|doesn~t like|does not like|hasst)\s`),
    object: takeShort,
    claim: says('dislikes', { subjectType: 'person' }),
    confidence: 0.75,
    person: 'surely',
  },
]

const noMore: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i (?:no longer|don~t|do not) (?:really )?(?:like|love|enjoy)\s`),
    object: takeShort,
    after: wordPattern(String.raw`(?:\s(?:any ?more|any longer)\b|(?<=no longer (?:like|love|enjoy) .{1,60}))`),
    claim: says('likes'),
    confidence: 0.85,
    closes: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`i used to (?:like|love|enjoy)\s`),
    object: takeShort,
    claim: says('likes'),
    confidence: 0.8,
    closes: true,
  },
]

const prefers: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:i|we) ${MUCH}(?:much |strongly )?prefer|my preference is|ich bevorzuge)\s(?!(?:it|this|that|not|them|these|those|the (?:first|second|third|last|other|former|latter)|option|es|das|nicht)\b)`,
    ),
    // What it is preferred to is not part of it: `email to phone calls`.
    object: (sentence, from) => {
      const other = /\s(?:over|to|rather than|instead of|gegenüber)\s/iu.exec(sentence.slice(from))?.index
      return (
        (other === undefined ? undefined : takeShort(sentence.slice(0, from + other), from)) ??
        takeShort(sentence, from)
      )
    },
    claim: says('prefers'),
    confidence: 0.85,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`ich (?:trinke|esse|nehme|benutze|nutze|verwende|höre|spiele) lieber\s`),
    object: takeShort,
    claim: says('prefers'),
    confidence: 0.82,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`my (?:all-time |absolute )?favou?rite (?<noun>[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?)(?: is|~s| are)\s(?:definitely |probably |the |still )?(?!not\b)`,
    ),
    object: takePhrase,
    claim: ({ object, groups }) => ({ predicate: favourite(groups['noun'] ?? ''), object }),
    confidence: 0.93,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`meine? lieblings-?(?<noun>\p{L}{2,20}) ist\s(?!nicht\b)`),
    object: (sentence, from) =>
      takeAnyPhrase(sentence, from + (/^(?:der|die|das) /iu.exec(sentence.slice(from))?.[0].length ?? 0)),
    claim: ({ object, groups }) => ({ predicate: favourite(groups['noun'] ?? ''), object }),
    confidence: 0.93,
  },
]

const NOUNS: Readonly<Record<string, string>> = {
  color: 'colour',
  farbe: 'colour',
  essen: 'food',
  gericht: 'dish',
  getränk: 'drink',
  buch: 'book',
  tier: 'animal',
  musik: 'music',
  stadt: 'city',
  lied: 'song',
  autor: 'author',
  autorin: 'author',
  spiel: 'game',
  serie: 'series',
  sprache: 'language',
  programmiersprache: 'programming_language',
}

function favourite(noun: string): string {
  const name = noun.toLowerCase().replaceAll(/[\s-]+/gu, '_')
  return `favourite_${NOUNS[name] ?? name}`
}

/** Likes, dislikes, preferences, favourites. */
export const tastes: readonly Pattern[] = [...likes, ...dislikes, ...noMore, ...prefers]
