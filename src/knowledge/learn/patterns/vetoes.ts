/** What is said after it, in the same sentence, may not be so. */
const HYPOTHETICAL =
  /\b(?:if|whether|unless|suppose|supposing|imagine|assume|assuming|pretend|hypothetically|would|could|might|maybe|perhaps|apparently|supposedly|allegedly|presumably|possibly|angeblich|offenbar|anscheinend|vermutlich|wahrscheinlich|wish|hope|hopefully|dreamt|dreamed|almost|nearly|wenn|falls|ob|angenommen|nehmen wir an|stell dir vor|würde|könnte|vielleicht|hoffentlich|wünschte|wäre|hätte|träumte|fast|beinahe)\b/iu
/** What is said after it is somebody else's. */
const REPORTED =
  /\b(?:said|says|say|saying|told|tells|asked|asks|claims?|claimed|wrote|writes|thinks?|thought|believes?|believed|heard|reads?|according to|(?:from|per) the (?:docs?|documentation|manual|guide|handbook|spec|changelog|faq)|replied|answered|quotes?|quoted|rumou?rs?|typing|typed|dictat(?:es|ed|ing)|character|narrator|protagonist|song|lyrics|pasted?|wiki|readme|style guide|job ad|review|article|transcript|the (?:customer|client|caller|applicant|candidate|patient)|sagt|sagte|sagten|meint|meinte|behauptet|behauptete|erzählt|erzählte|schreibt|schrieb|laut|glaubt|glaubte|denkt|dachte|fragt|fragte|gehört|figur|liedtext)\b/iu
/** Who was quoted stands after the quote. */
const REPORTED_AFTER =
  /[,–—-]\s{0,2}(?:(?:he|she|they|er|sie|my \p{L}{2,20}|\p{Lu}\p{L}{1,20})\s(?:said|says|told|replied|wrote|claims?)\b|(?:said|says|replied|sagte?|meinte?|schrieb)\s)/u
/** Wherever it stands, the sentence is not about this world. */
const ELSEWHERE =
  /\bin (?:my|the|a) (?:dreams?|game|story|novel|book|movie|film|play|simulation|scenario)\b|\bin (?:theory|minecraft|the sims|fiction)\b|\bfor example\b|\be\.g\.|\bim (?:traum|spiel|roman|film|buch)\b|\bzum beispiel\b|\bz\. ?b\./iu
/** The message hands over a text to be worked on, or begins to play. */
const POLITE = String.raw`^\W{0,8}(?:(?:please|bitte|can you|could you|kannst du|now|ok|okay|help me|i want you to|i need you to)\W{1,4}){0,3}`
const TEXT = new RegExp(
  String.raw`${POLITE}(?:translate|rewrite|proofread|correct|summari[sz]e|paraphrase|rephrase|shorten|spell-?check|parse|extract|classify|analy[sz]e|reply(?! (?:to me |me )?(?:only |always )?(?:in|by)\b)|respond(?! (?:to me |only |always ){0,2}in\b)|act|pretend|imagine|role-?play|play|suppose|let['’]s (?:pretend|play|imagine|say|do (?:an? )?(?:improv|role|scene))|say|repeat|print|output|echo|übersetze?|korrigiere?|formuliere?|fasse|ergänze|stell dir vor|tu so|spiele?|sag|wiederhole?)\b`,
  'iu',
)
/** A text from elsewhere follows its source. */
const CITED =
  /^\W{0,4}(?:from|per|according to|copied from|quoting|excerpt from) (?:the|our|their|this|a) [^\n:]{2,40}:\s/iu
/** Something is to be made. What the message says of its user may be meant for it. */
const TASK = new RegExp(
  String.raw`${POLITE}(?:edit|fix|improve|complete|continue|write(?! (?:to me |me )?(?:only |always )?in\b)|draft|compose|generate|create|give me|make up|schreibe?|verbessere?|antworte(?! (?:mir )?(?:immer |nur |bitte )?auf\b))\b`,
  'iu',
)
/** Somebody plays. */
const PLAY =
  /\b(?:save ?(?:game|file)s?|improv|d&d|dungeons (?:and|&) dragons|my (?:[\p{L}&]{1,20} )?character|playthrough|npcs?|(?:playing|in) (?:skyrim|minecraft|the sims|fallout|stardew valley|zelda|warcraft|pok[eé]mon|animal crossing|gta|elden ring|baldur['’]s gate|cyberpunk|factorio|dwarf fortress|civilization|hogwarts legacy)|in this (?:scenario|scene|story|game|roleplay|simulation)|dialogue for|cosplay)\b|^\W{0,4}you are (?:now )?(?:an? |the )(?!(?:great|good|lifesaver|life saver|star|gem|genius|legend|wonderful|huge|big|bit|true|real)\b)/iu
const TAKEN_BACK =
  /\b(?:just kidding|only kidding|only joking|just joking|jk|not really|that was a lie|i lied|april fools|said no one|nur spaß|nur ein (?:scherz|witz)|war gelogen|das stimmt nicht|mein name ist hase)\b|(?:\.{2,3}|…|,|-|–)\s{0,2}not!/iu

/** Somebody else is to be played, or a text only shows what one could look like. */
const PERSONA =
  /\b(?:lorem ipsum|imaginary|persona|role-?play(?:ing)?|in character|system prompt|placeholder|dummy|fictional|(?:sample|example|test|mock|fake) (?:bio|text|data|user|profile|account|resume|cv))\b/iu
/** Right after what was said, or at the end of its sentence: then it was not meant so firmly. */
const HEDGED =
  /^[\s,–—-]{0,3}(?:if|unless|falls|wenn)\b|(?:^|[,\s–—-])\s{0,2}(?:i guess|i suppose|i think|i believe|i assume|i hope|or so|or something|supposedly|allegedly|apparently|maybe|perhaps|probably|possibly|obviously|as far as i know|afaik|iirc|glaube ich|denke ich|nehme ich an|schätze ich|angeblich|vermutlich|vielleicht|wahrscheinlich|oder so)[\s.,!…)]{0,4}$/iu

/** A question in form only. */
const REQUEST = /^\W{0,4}(?:please |ok |and |also )?(?:can|could|would|will) you (?:please )?(?:always|never)\s/iu
/** A sentence with a laugh in it is not meant so. */
const LAUGHED = /\b(?:lol|lmao|rofl|haha(?:ha){0,5}|hehe|xd)\b|\s\/s\s{0,4}$|😂|🤣|😜|;-?\)/iu

/** Whether what follows a claim takes its certainty away. */
export function isHedged(rest: string): boolean {
  return HEDGED.test(rest)
}

/** Whether a message is material to work on, or takes back what it says: nothing of it is learned. */
export function isTextOrJest(text: string): boolean {
  const head = text.slice(0, 2_000)
  return (
    TEXT.test(text.slice(0, 200)) || CITED.test(head) || PERSONA.test(head) || PLAY.test(head) || TAKEN_BACK.test(text)
  )
}

/** Whether a message asks for something to be made. */
export function isTask(text: string): boolean {
  return TASK.test(text.slice(0, 200))
}

/** Whether a sentence as a whole says nothing that is so. */
export function isNoStatement(sentence: string): boolean {
  return (
    (/\?["')\]\s]{0,4}$/.test(sentence) && !REQUEST.test(sentence)) ||
    ELSEWHERE.test(sentence) ||
    REPORTED_AFTER.test(sentence) ||
    LAUGHED.test(sentence)
  )
}

/** Whether what comes before a clause makes it a guess, a condition or somebody else's words. */
export function isNotOwnClaim(before: string): boolean {
  return HYPOTHETICAL.test(before) || REPORTED.test(before)
}
