/**
 * What people ask about themselves in other words than they told it: "What is my job?" after "I work as a nurse". Each line has words
 * of a question and the predicates of facts that answer it.
 */
const asked: readonly (readonly [question: RegExp, predicates: readonly string[]])[] = [
  [/\b(?:job|profession|occupation|career|employer|work|for a living|beruf|arbeit\w*)\b/i, ['works_as', 'works_at']],
  [/\b(?:my name|who am i|call me|called\?|mein name|wie hei(?:ß|ss)e ich)\b|\bwer bin ich\b/i, ['name', 'nickname']],
  [
    /\b(?:born|birthday|birth|how old|my age|geburtstag|geboren|wie alt)\b/i,
    ['birthday', 'birth_year', 'born_on', 'born_in', 'age'],
  ],
  [/\b(?:city|town|country|my home|address|live|based|stadt|wohn\w*)\b/i, ['lives_in', 'address']],
  [
    /\b(?:eat|food|meal|cook|dinner|lunch|breakfast|recipe|restaurant|allerg\w+|meat|essen|esse|koche\w*|rezept)\b/i,
    ['allergic_to', 'diet'],
  ],
  [/\b(?:kids?|children|kinder)\b/i, ['child', 'son', 'daughter']],
  [/\b(?:siblings?|geschwister)\b/i, ['sister', 'brother']],
  [
    /\b(?:family|relatives|familie)\b/i,
    ['mother', 'father', 'sister', 'brother', 'child', 'son', 'daughter', 'wife', 'husband', 'partner'],
  ],
  [/\b(?:spouse|married|verheiratet)\b/i, ['wife', 'husband', 'partner', 'spouse', 'marital_status']],
  [/\b(?:pets?|haustier\w*)\b/i, ['dog', 'cat', 'pet']],
  [/\b(?:languages?|sprachen?)\b/i, ['speaks']],
]

/** The predicates of the facts that a question about oneself may ask for. */
export function askedPredicates(question: string): ReadonlySet<string> {
  return new Set(asked.flatMap(([pattern, predicates]) => (pattern.test(question) ? predicates : [])))
}
