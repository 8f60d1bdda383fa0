import { ERROR_REPORTS } from './identifier-patterns.ts'

/** Whose words a sentence has. */
export type Speaker = 'user' | 'assistant' | 'tool'

/** What a sentence tells, as far as its words show. */
export type Cue = 'failed' | 'decided' | 'open' | 'rule' | 'asked' | 'value'

/** Not within a word, in whatever script with letters. */
function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'iu')
}

const DECIDED: readonly RegExp[] = [
  anyOf(
    "decided?|decision|chose|chosen|agreed?|settled on|we(?:'ll| will) (?:use|take|do|go)|go(?:ing)? with|switched to|approved|confirmed|let's|instead of|take (?:that|this) one",
    'entschieden|entschlossen|beschlossen|vereinbart|stattdessen|wir nehmen',
    'décidé|choisi|on prend|nous prenons|plutôt que|décidons',
    'decidimos|decidido|acordado|acordamos|elegimos|elegido|en lugar de|nos quedamos con',
    'решили|решено|выбрали',
  ),
  /决定|決定|选择|選択|採用|采用|결정|선택/u,
]
const OPEN: readonly RegExp[] = [
  anyOf(
    "todo|to do|remaining|still (?:need|to|open|missing|haven't|unclear|unknown|not|use|uses|imports?|shows?)|not yet|(?:haven't|hasn't|have not|has not|don't know|nobody has)(?: [a-z]{1,12}){1,3} yet|yet|pending|unresolved|open (?:question|item|issue)s?|next steps?|follow.?up|unclear|unknown|not (?:clear|sure|known)|i don't know|to be (?:confirmed|found|decided|done)|to settle|waiting for|need to find out",
    'noch (?:offen|nicht|unklar|nichts|keine?)|offen|unklar|ausstehend|steht aus',
    'à faire|reste (?:à|encore)|pas encore|en attente|à confirmer',
    'pendientes?|falta|faltan|queda(?:n)? por|todavía no|aún no|por confirmar',
    'осталось|ещё не',
  ),
  /待办|待定|尚未|未解决|未完了|残り|保留|미정|남은/u,
]
const RULE = anyOf(
  "never|must|mustn't|don't|dont|do not|not allowed|no longer|only|at (?:most|least|the latest)|(?:no|not) more than|not longer than|not before|no (?:flights|work|more)|without exception|has to|have to|needs?|cannot|can't|limit|deadline|due|(?:by|before|until) (?:the end|end|noon|midnight|mon|tues|wednes|thurs|fri|satur|sun|next|\\d|you)[a-z]{0,8}|keep|leave|allergic|require[sd]?",
  'nie|niemals|auf keinen fall|darf|dürfen|muss|müssen|nur|höchstens|spätestens|bis zum|unbedingt|bitte nicht|nicht mehr|sofort|sonst|brauche[n]?',
  'jamais|surtout pas|ne (?:doit|doivent)|doit|doivent|(?:il|nous) (?:ne )?(?:nous )?faut|seulement|au plus tard|avant (?:le|vendredi|lundi)|absolument|à condition|sinon|pas un',
  'nunca|nadie|tienen? que|hay que|solo|como muy tarde|antes de(?:l)?|hasta|obligatorio|no (?:cambies|toques|envíen|puede|pueden)|así que|necesita',
  'нельзя|никогда|должен|должны|только',
)
const ASKED: readonly RegExp[] = [
  anyOf(
    "please|(?:can|could|would|will) (?:you|we)|help me|(?:i|we) (?:want|need|would like|wish)|(?:i|we)'d (?:like|only)|i am (?:looking for|applying)|i need to know|find out|remind me|make sure|goal",
    'bitte|ich (?:möchte|will|brauche|suche)|wir (?:brauchen|möchten|wollen)|kannst du|können sie',
    "s'il (?:te|vous) pla[iî]t|je (?:souhaite|veux|voudrais)|il (?:nous )?faut|(?:peux|pouvez)[- ](?:tu|vous)|tu peux|on (?:doit|veut)",
    'por favor|necesito|necesitamos|quiero|queremos|puedes|podrías',
  ),
  /^(?:(?:and|ok|okay|so|then|also|yes|now|agreed),? ){0,2}(?:add|ask|build|buy|call|change|check|compare|create|delete|describe|draft|drop|exclude|explain|fetch|find|fix|get|give|ignore|implement|include|keep|leave|list|look|make|migrate|move|open|prepare|put|read|refactor|remind|remove|rename|replace|review|run|search|send|show|sort|spell|stop|summari[sz]e|take|tell|test|translate|try|turn|update|use|write)(?![\p{L}'’])/iu,
  /[请請]|ください|주세요|กรุณา|يرجى/u,
]
const REASON = anyOf(
  'because|so that|otherwise|instead|therefore|since|but|unless',
  'weil|damit|aber|deshalb|sodass|ohne dass',
  'parce que|donc|mais|afin|pour que',
  'porque|pero|por eso|así que|para que',
)
/** What people say to be polite, and what an assistant says before it looks. */
const SMALL_TALK: readonly RegExp[] = [
  /^(?:(?:oh|ah|ok|okay|well|right|yes|yeah|yep|no|hm+|haha|lol|wow|so)[,.! ]{1,3}){0,2}(?:hi|hello|hey|good (?:morning|afternoon|evening|luck|idea|to know)|morning|dear|thanks?|thank you|thx|cheers|sure|of course|certainly|understood|noted|great|nice|lovely|perfect|cool|super|sorry|congratulations|well done|glad|happy to|you are welcome|kind regards|enjoy|have a|guten (?:tag|morgen|abend)|hallo|danke|vielen dank|gern|verstanden|einverstanden|sehr gut|schönen|bonjour|salut|coucou|merci|parfait|compris|très bien|félicitations|avec mes|hola|buen[ao]s|gracias|muchas gracias|perfecto|de acuerdo|entendido|vale|qué)(?![\p{L}])/iu,
  /^(?:(?:now|first|next|then|also|yes|ok|and|sure|gladly)[,.]? ){0,2}(?:let (?:me|us)|(?:i|we)(?:'ll| will| can| could| am going to) (?:now |first |start|look|check|see|read|search|have a|try|do|find|open|collect|add|put|call|leave)|i(?:'m| am) (?:looking|sorry|glad|afraid|happy)|looking|here (?:is|are)|(?:i|we) (?:see|have (?:read|looked|tested|compared|prepared|checked|contacted|put|added|changed|moved|replaced|corrected))|ich (?:sehe|suche|schaue|schau|habe es|trage)|je (?:regarde|vérifie|vois|consulte|réserve|modifie)|voy a|ya (?:la|lo) tengo|lo (?:añado|reservo))(?![\p{L}])/iu,
]
const QUESTION = /[?？؟]["'”»)\s]{0,4}$/u
const OFFER = anyOf(
  'shall i|do you want|would you like|anything else|is there anything|may i|by (?:the way|any chance)',
)
const DIGIT = /\p{N}/u
const NUMBERS = /\p{N}[\p{N}.,:/-]{0,20}/gu
/** A word with a capital that begins no sentence. */
const NAME = /[\p{Ll}\p{N},;:] ["'“«(]?\p{Lu}[\p{L}\p{N}]/u
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}'’_./-]{0,60}/gu
/** One of these is half a word or a whole one: text without spaces. */
const NO_SPACES = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/u
/** Of a sentence that is looked at: what it is about, it says by then. */
const CHARACTERS_MAX = 600

const SPEAKER: Readonly<Record<Speaker, number>> = { user: 1, assistant: 0.6, tool: 0 }
const CUES: Readonly<Record<Cue, number>> = { asked: 1.1, rule: 0.9, decided: 1.1, open: 1.1, failed: 0.9, value: 0.7 }

/** What a sentence tells; the first is the one to name it by. */
export function cuesOf(sentence: string, speaker: Speaker): readonly Cue[] {
  const text = sentence.slice(0, CHARACTERS_MAX)
  const cues: Cue[] = []
  if (ERROR_REPORTS.some((report) => report.test(text))) cues.push('failed')
  if (DECIDED.some((cue) => cue.test(text))) cues.push('decided')
  if (OPEN.some((cue) => cue.test(text))) cues.push('open')
  if (RULE.test(text)) cues.push('rule')
  if (speaker === 'user' && ASKED.some((cue) => cue.test(text))) cues.push('asked')
  if (DIGIT.test(text)) cues.push('value')
  return cues
}

/** Whether a sentence asks for something to be said. */
export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence)
}

/**
 * How much a reader of a summary would miss a sentence, by its own words: decisions, requests, rules and what is open first,
 * then numbers, names and reasons. Greetings, thanks and what an assistant says before it looks are worth nothing.
 */
export function worthOf(sentence: string, speaker: Speaker): number {
  const text = sentence.slice(0, CHARACTERS_MAX)
  const cues = cuesOf(text, speaker)
  let worth = SPEAKER[speaker]
  for (const cue of cues) worth += CUES[cue] * (speaker === 'tool' && cue !== 'failed' && cue !== 'value' ? 0.3 : 1)
  // Two reasons to keep a sentence are better than one, but not twice as good.
  if (cues.length > 2) worth -= 0.4 * (cues.length - 2)
  if (isQuestion(text)) worth += OFFER.test(text) ? -1 : speaker === 'user' ? 0.9 : 0.4
  if ((text.match(NUMBERS) ?? []).length > 1) worth += 0.3
  if (NAME.test(text)) worth += 0.4
  if (REASON.test(text) || text.includes(', so ')) worth += 0.3
  if (SMALL_TALK.some((talk) => talk.test(text))) worth -= 1.6
  return worth + lengthWorth(text)
}

function lengthWorth(text: string): number {
  if (NO_SPACES.test(text)) return text.length < 6 ? -0.6 : 0.2
  const words = (text.match(WORDS) ?? []).length
  if (words < 4) return -1.2
  if (words < 7) return -0.4
  return words > 45 ? -0.2 : Math.min(0.5, (words - 6) * 0.07)
}
