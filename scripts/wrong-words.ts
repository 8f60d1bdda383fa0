export interface WrongWords {
  readonly line: number
  readonly words: string
  /** What to write instead. */
  readonly better: string
}

/** What we do not write, and what to write instead: see *Voice* in CONTRIBUTING.md. */
const RULES: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\banew\b/i, 'write "again"'],
  [/\btold of\b/i, 'write "reported", or say who is told what'],
  [/\bfor ever\b/i, 'write "permanently"'],
  [/\bin earnest\b/i, 'write "in production"'],
  [/\bseldom\b/i, 'write "rarely"'],
  [/\bagain is no change\b/i, 'write "doing it twice changes nothing"'],
  [/\ba whole number from \d+ on\b/i, 'write "a positive whole number"'],
  [/\b(?:document|message|record|one) a line\b/i, 'write "one per line"'],
  [/\bwhose, as\b/i, 'write "the scope, for example"'],
  [/\bCannot tell whose\b/i, 'write "No scope given"'],
  [/\bstands? (?:there|on no|in its way)\b/i, 'write "is", "has" or "appears"'],
  [/\b(?:says|answers|tells) nothing\b/i, 'say what is returned'],
  [/\bwas not (?:looked into|tried)\b/i, 'write "we did not measure"'],
  [/\bgoes on where\b/i, 'write "resumes where"'],
  [/\bis told to stop\b/i, 'write "until Ctrl-C"'],
  [/\bby itself, done\b/i, 'write "in the background"'],
  [/\bof that (?:id|name|uuid)\b/i, 'write "with this id"'],
  [
    /(?<!there )\b(?:is|are|was|were) no (?:plain |JSON |known )?(?:file|object|string|list|record|message|session|conversation|text|memory|fork)\b/i,
    'write "is not a …"',
  ],
  [
    /\bstands? (?:alone|behind|before|beside|for what|at the end|here|with the)\b/i,
    'write "is", "comes" or "replaces"',
  ],
  [/\b(?:brought|brings?) in (?:an?|the|from|what)\b/i, 'write "import"'],
  [/\bcut short\b/i, 'write "interrupted"'],
  [/\blet go of\b/i, 'write "deleted" or "released"'],
  [/\bcan(?:not)? be told\b/i, 'say who finds out what'],
  [/\btakes? (?:it|them|that) back\b/i, 'write "undoes it"'],
  [/\b(?:come|came|comes) of (?:it|them)\b/i, 'name the result'],
  [/\bnot\b[^.;:]{0,30} any ?more\b/i, 'write "no longer"'],
  [/\bnobody (?:knows|waits|believes)\b/i, 'say what is the case'],
  [/\b(?:for want of|in vain|once more)\b/i, 'write it plainly: "did not fit", "without success", "again"'],
  [/[,:] as `…`[,.;)]/, 'write "for example"'],
  [/\b(?:told|telling) (?:so|with)\b/i, 'write "reported"'],
  [/\bgo(?:es)? on (?:where|with)\b/i, 'write "continues"'],
  [/(?:^|[.;:] )Who (?:saves|decides|guesses|waits|writes|reads|has)\b/, 'write "Whoever" or name the actor'],
  [/(?<!somebody )\bwho guesses\b/i, 'write "somebody who guesses"'],
  [/\bwith all of the \w+ neither\b/i, 'rewrite the sentence'],
  [/\b(the|a|an|is|of|to|and|in|that|it|for) \1\b/i, 'a word is there twice'],
  [/\b(?:utilize|leverage|seamless(?:ly)?|blazing(?:ly)?|effortless(?:ly)?|simply)\b/i, 'leave it out'],
  [/\b(?:simple|easy) to use\b/i, 'show it instead'],
  [
    /\b(?:color|behavior|analyze|summarize|serialize|license) (?!:)\b/,
    'we write British English: colour, behaviour, summarise, licence',
  ],
  [
    /\b(?:teh|recieve\w*|seperat\w*|occured|occurence|adress|wich|becuase|existance|sucess\w*|refered|untill|thier|definately|arguement|neccessary|lenght|retreiv\w*|persistant|consistant|independant|compatability|dependancy|enviroment|paramater|accross|begining|commited|transfered|prefered|publically|supercede\w*|guarent\w*)\b/i,
    'a spelling mistake',
  ],
]

/** Where a text has words that we do not write. Code, links and quotations of code are not looked at. */
export function wrongWords(text: string): readonly WrongWords[] {
  const prose = text
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '`…`')
    .replaceAll(/\]\([^)]*\)/g, ']')
  return prose.split('\n').flatMap((line, index) =>
    RULES.flatMap(([pattern, better]) => {
      const [words] = pattern.exec(line) ?? []
      return words === undefined ? [] : [{ line: index + 1, words: words.trim(), better }]
    }),
  )
}
