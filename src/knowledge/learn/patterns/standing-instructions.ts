import { isBaseVerb } from './common-words.ts'
import { type Pattern, type PatternMatch, type PatternClaim, wordPattern } from './pattern.ts'
import { type Taker, takeRest } from './take.ts'

const WORDS_MAX = 16
/** Where the reason begins, or a word that only makes it polite. */
const REASON =
  /\s{0,2}(?:,\s{0,2}(?:please|ok|okay|thanks|thank you|they|it|it['’]s|that|this|that['’]s|which|because|since|so|otherwise|we|i|bitte|danke|weil|sonst)\b|\s(?:because|since|otherwise|weil|sonst|please|thanks|bitte)\b|\s[-–—]\s|[:(]).{0,500}$/isu
/** Meant for this once, or of something that another sentence names. */
const ONCE =
  /(?:^|\s)(?:yet|now|for now|today|tonight|this (?:time|one|once|file|line|test|function)|that one|anymore|any more|again|until|till|first|instead|so much|too much|jetzt|noch|diesmal|heute)(?=[\s.,!]|$)|^(?:\S{1,30}\s){0,2}(?:it|them|that|this|these|those|him|her|anything|everything|me|you|us|es|das|die|ihn|sie|so)$/iu
const POINTER = /\s(?:it|them|those|these|this|that)(?=\s|$)/iu

/** What an instruction says, without its reason. */
const takeInstruction: Taker = (sentence, from) => {
  const rest = takeRest(sentence, from)
  const text = rest?.text.replace(REASON, '').replace(/(?<![\s?])[\s?]+$/u, '')
  if (text === undefined || text === '' || text.split(' ').length > WORDS_MAX) return undefined
  return ONCE.test(text) || POINTER.test(text) || /[{};=<>|]/u.test(text)
    ? undefined
    : { text, end: from + text.length }
}

/** The same, where it begins with what is to be done. */
const takeOrder: Taker = (sentence, from) => {
  const taken = takeInstruction(sentence, from)
  const [first = '', second = ''] = taken?.text.split(' ', 2) ?? []
  if (taken === undefined) return undefined
  const negated = /^(?:don['’]t|never|always|please|only|do)$/iu.test(first)
  return isBaseVerb(first) || (negated && second !== '') ? taken : undefined
}

const NO_ORDER =
  /^(?:mind|look|be|have|get|go|know|think|say|seem|happen|fail|work|feel|stop|forget|worry|want|need|hear|mean|believe|understand|live|love|like|hate|die|win|lose|try|thank|wonder|expect|remember)$/iu

/** `always`, `never` and an order. What one is, feels or says always is none. */
const takeAlways: Taker = (sentence, from) => {
  const taken = takeInstruction(sentence, from)
  const [verb = '', more] = taken?.text.split(' ', 2) ?? []
  if (taken === undefined || more === undefined || !isBaseVerb(verb)) return undefined
  return NO_ORDER.test(verb) &&
    !/^(?:have|be|get|go|try|work|stop) (?:the|an?|to|with|for|on|at|in|explicit|careful|polite|brief|concise)\b/iu.test(
      taken.text,
    )
    ? undefined
    : taken
}

/** Not one word of what is at hand: `don't change the header` is for this once, `don't touch src/legacy` is not. */
const LASTING =
  /^(?:touch|push|commit|deploy|merge|force-push|edit|modify|delete|rename|call|contact|email|text|book|install|import|log|mock|hardcode|store|share|upgrade)\b|\b(?:folder|directory|director(?:y|ies)|files?|branch|branches|api|apis|schema|tables?|modules?|config|codebase|production|database|dependencies|packages?|librar(?:y|ies)|comments?|emojis?|default exports?|without asking)\b|\//iu

const forbidden: Taker = (sentence, from) => {
  const taken = takeInstruction(sentence, from)
  if (taken === undefined || !taken.text.includes(' ') || /^(?:touch|use) (?:the|my|your)$/iu.test(taken.text))
    return undefined
  const general = /^[\p{L}-]+ (?!(?:the|that|this|my|your|his|her|their|an?|to|any|too|so|up|out|down|me)\b)/iu.test(
    taken.text,
  )
  return LASTING.test(taken.text) || general || /^(?:call|contact|email|text|send) me\b/iu.test(taken.text)
    ? taken
    : undefined
}

const says = ({ object, groups }: PatternMatch): PatternClaim => {
  const text = `${groups['word'] ?? ''}${object}`
  return {
    predicate: 'instruction',
    object: /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text,
  }
}
const STANDING = { about: 'speaker', claim: says, standing: true } as const
const LANGUAGE =
  '(?:english|british english|american english|german|french|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|polish|czech|hungarian|romanian|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|thai|vietnamese|mandarin|chinese|japanese|korean|deutsch|englisch|französisch|spanisch|italienisch)'

/** What an agent is to do, or never to do, from now on. */
export const standingInstructions: readonly Pattern[] = [
  {
    ...STANDING,
    lead: wordPattern(String.raw`we (?<word>(?:always|never)\s)`),
    object: takeAlways,
    claim: (found) => ({ ...says(found), predicate: 'practice' }),
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>be (?:more |very )?(?:brief|concise|direct|blunt|honest|formal|informal|polite|terse))(?=\s{0,2}(?:[.!]|$)|\s(?:with me|in your (?:answers|replies|responses)))`,
    ),
    confidence: 0.8,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please |and |but |you (?:must|should|have to|need to) |(?:please )?(?:make|be) sure (?:that )?(?:you |to )?|remember to |(?:i want|i need|i~d like|i would like) you to |(?:can|could|would|will) you (?:please )?)?(?=(?:always|never)\s)(?<word>(?:always|never)\s)`,
    ),
    object: takeAlways,
    confidence: 0.88,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:from (?:now|here|today) on(?:wards?)?|going forward|in (?:the )?future|by default|as a (?:general )?rule|for all future \p{L}{2,20}|every time|moving forward|ab (?:jetzt|sofort)|in zukunft|künftig)[,:]?\s(?:please |bitte |you (?:must|should) )?`,
    ),
    object: takeOrder,
    confidence: 0.92,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>(?:don~t|do not)(?: ever)?\s)(?=(?:touch|use|change|modify|edit|delete|remove|rename|commit|push|force-push|merge|deploy|add|create|call|contact|email|text|send|book|mock|log|import|install|upgrade|rewrite|refactor|format|store|share|reveal|suggest|hardcode|disable|squash|rebase|write|put|include|introduce|invent|guess|wrap|overwrite|schedule|order)\s)`,
    ),
    object: forbidden,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>stop )(?=(?:adding|using|writing|putting|asking|apologi[sz]ing|suggesting|changing|renaming|inventing|guessing|repeating|sending|calling|formatting|explaining|creating)\s)`,
    ),
    object: takeInstruction,
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>(?:only )?use )(?=[\w./@+# -]{2,30}(?:, not |\sinstead of |\srather than |, never |\severywhere\b|\sonly\b|\sfor (?:all|every|any|everything)\b|\sthroughout\b))`,
    ),
    object: takeInstruction,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>(?:(?:answer|reply|respond|speak|talk|write)(?: to me| me| back)?|antworte|schreib(?:e)?)(?: mir)?(?: only| always| immer| nur)? (?:in|auf) (?=${LANGUAGE}\b))`,
    ),
    object: takeInstruction,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>keep (?:your |the |all )?(?:answers?|replies|responses?|explanations?|messages|functions|files|commits|pull requests|prs|summaries|emails?|code)\s)(?=(?:short|shorter|brief|concise|small|simple|formal|informal|polite|under|below|to|in|plain)\b)`,
    ),
    object: takeInstruction,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>(?:only )?(?:contact|reach|call|text|email|write to|message|address|ping) me )(?=(?:only |just )?(?:by|on|via|through|before|after|as|in|at (?:work|home))\s)`,
    ),
    object: takeInstruction,
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>(?:no|avoid|without) )(?=(?:emojis?|comments|default exports|exclamation marks|bullet points|markdown|jargon|abbreviations|semicolons|em-?dashes|small talk|filler|any|classes|mocks|inline styles|magic numbers|meetings|calls|flights|connecting flights|layovers)\b)`,
    ),
    object: takeInstruction,
    confidence: 0.8,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>only )(?=(?:suggest|recommend|show|use|list|book|offer|send|propose|give me|cite|quote)\s(?!(?:the|this|that|these|those|one|it)\b))`,
    ),
    object: takeInstruction,
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:please )?(?<word>prefer )(?=[\p{L}\d -]{2,40}? (?:over|to|instead of) [\p{L}\d -]{2,40}(?:[.!]|$))`,
    ),
    object: takeInstruction,
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(String.raw`(?:please )?(?<word>use )(?=(?:british|american|uk|us) (?:english|spelling)\b)`),
    object: takeInstruction,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:bitte )?(?=(?:benutze?|verwende?|nutze?|nimm|schreibe?|antworte|committe?|frage?|lösche?|ändere?|teste?)\s(?:immer|nie|niemals|nur|stets)\s)`,
    ),
    object: takeInstruction,
    confidence: 0.88,
  },
]
