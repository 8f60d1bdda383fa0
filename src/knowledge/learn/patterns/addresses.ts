import { type Pattern, wordPattern } from './pattern.ts'
import type { Taker } from './take.ts'

const END = /^[.,;!)]{0,2}(?:\s|$)/u

/** An address of the web, with or without its protocol. */
const takeAddress: Taker = (sentence, from) => {
  const text = /^(?:https?:\/\/)?[\p{L}\d-]{1,60}(?:\.[\p{L}\d-]{1,60}){1,6}(?::\d{2,5})?(?:\/[\p{L}\d._~/-]{0,120})?/u
    .exec(sentence.slice(from))?.[0]
    .replace(/[.,]+$/u, '')
  if (text === undefined || !/\.\p{L}{2,}/u.test(text) || !END.test(sentence.slice(from + text.length)))
    return undefined
  return { text, end: from + text.length }
}

const takeChannel: Taker = (sentence, from) => {
  const text = /^#\p{L}[\p{L}\d_-]{1,40}/u.exec(sentence.slice(from))?.[0]
  return text === undefined || !END.test(sentence.slice(from + text.length))
    ? undefined
    : { text, end: from + text.length }
}

/** A name as people give to databases and branches: no plain word. */
const takeSlug: Taker = (sentence, from) => {
  const text = /^[\p{Ll}\d][\p{Ll}\d_/-]{1,40}/u.exec(sentence.slice(from))?.[0]
  return text === undefined || !END.test(sentence.slice(from + text.length))
    ? undefined
    : { text, end: from + text.length }
}

const WHERE =
  'staging|production|prod|dev|test|live|local|docs|documentation|company|team|project|main|status|admin|git|public|private'
const predicateOf = (what: string | undefined): string => (what ?? '').toLowerCase().replaceAll(/[\s-]+/gu, '_')

/** Where a team has its sites, repositories and channels, and what its databases and branches are called. */
export const addresses: readonly Pattern[] = [
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:(?:my|our) (?<what>(?:(?:${WHERE}) ){0,2}(?:url|repo|repository|website|site|homepage|portfolio|wiki|dashboard|domain|endpoint|blog|server|api url|base url))|the (?<what2>(?:(?:${WHERE}) ){1,2}(?:url|repo|repository|site|dashboard|wiki|endpoint|server)))(?: is(?: at)?| lives at|:)\s`,
    ),
    object: takeAddress,
    claim: ({ object, groups }) => ({ predicate: predicateOf(groups['what'] ?? groups['what2']), object }),
    confidence: 0.88,
    standing: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(String.raw`(?:my|our) (?<what>(?:slack |discord |team |support )?channel) is\s`),
    object: takeChannel,
    claim: ({ object, groups }) => ({ predicate: predicateOf(groups['what']), object }),
    confidence: 0.88,
    standing: true,
  },
  {
    about: 'speaker',
    lead: wordPattern(
      String.raw`(?:our|the) (?<what>(?:main|default|release|production|prod|staging|dev|development|test) (?:branch|database|db|cluster|bucket|queue|namespace|schema|server|host)) is (?:called|named)\s`,
    ),
    object: takeSlug,
    claim: ({ object, groups }) => ({ predicate: predicateOf(groups['what']), object }),
    confidence: 0.88,
    standing: true,
  },
]
