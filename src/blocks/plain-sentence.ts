const VERB =
  /^(?:is|are|was|were|has|had|have|does|did|can|could|will|would|may|must|should|cannot|[a-z]+(?:[^su]s|ed))$/
/** They look like verbs and are none. */
const NOUNS: ReadonlySet<string> = new Set(
  'alias allergies children details goals hobbies initials interests kids languages news parents pets plans preferences pronouns siblings skills species tools values'.split(
    ' ',
  ),
)
/** What somebody is, not what somebody did. */
const STATES: ReadonlySet<string> = new Set(
  'based born divorced engaged interested located married named retired'.split(' '),
)
const PREPOSITION = /^(?:about|as|at|by|for|from|in|into|of|on|to|with)$/
const PLURAL = /[^s]s$|^children$/

/** What a fact says, as a person would: `User's dog is Rex`, `User is allergic to nuts and milk`, `User lives in Rome`. */
export function plainSentence(subject: string, predicate: string, objects: readonly string[]): string {
  const words = predicate.split(/[_\s]+/).filter((word) => word !== '')
  const [first = '', ...rest] = words
  const last = objects.at(-1) ?? ''
  const what = objects.length < 2 ? last : `${objects.slice(0, -1).join(', ')} and ${last}`
  const tells = `${words.join(' ')} ${what}`
  if (STATES.has(first) || first.endsWith('ing')) return `${subject} is ${tells}`
  if (VERB.test(first) && !NOUNS.has(first)) return `${subject} ${tells}`
  if (PREPOSITION.test(rest.at(-1) ?? '')) return `${subject} is ${tells}`
  const noun = words.join(' ')
  return `${subject}'s ${noun} ${PLURAL.test(noun) && NOUNS.has(rest.at(-1) ?? first) ? 'are' : 'is'} ${what}`
}
