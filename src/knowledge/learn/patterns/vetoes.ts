/** What is said after it, in the same sentence, may not be so. */
const HYPOTHETICAL =
  /\b(?:if|whether|unless|suppose|supposing|imagine|assume|assuming|pretend|hypothetically|would|could|might|maybe|perhaps|apparently|supposedly|allegedly|presumably|possibly|angeblich|offenbar|anscheinend|vermutlich|wahrscheinlich|wish|hope|hopefully|dreamt|dreamed|almost|nearly|wenn|falls|ob|angenommen|nehmen wir an|stell dir vor|würde|könnte|vielleicht|hoffentlich|wünschte|wäre|hätte|träumte|fast|beinahe)\b/iu
/** What is said after it is somebody else's. */
const REPORTED =
  /\b(?:said|says|say|saying|told|tells|asked|asks|claims?|claimed|wrote|writes|thinks?|thought|believes?|believed|heard|reads?|according to|replied|answered|quotes?|quoted|rumou?rs?|character|narrator|protagonist|song|lyrics|sagt|sagte|sagten|meint|meinte|behauptet|behauptete|erzählt|erzählte|schreibt|schrieb|laut|glaubt|glaubte|denkt|dachte|fragt|fragte|gehört|figur|liedtext)\b/iu
/** Who was quoted stands after the quote. */
const REPORTED_AFTER =
  /[,–—-]\s{0,2}(?:(?:he|she|they|er|sie|my \p{L}{2,20}|\p{Lu}\p{L}{1,20})\s(?:said|says|told|replied|wrote|claims?)\b|(?:said|says|replied|sagte?|meinte?|schrieb)\s)/u
/** Wherever it stands, the sentence is not about this world. */
const ELSEWHERE =
  /\bin (?:my|the|a) (?:dreams?|game|story|novel|book|movie|film|play|simulation|scenario)\b|\bin (?:theory|minecraft|the sims|fiction)\b|\bfor example\b|\be\.g\.|\bim (?:traum|spiel|roman|film|buch)\b|\bzum beispiel\b|\bz\. ?b\./iu
/** The message hands over a text to be worked on, or begins to play. */
const TASK =
  /^\W{0,8}(?:(?:please|bitte|can you|could you|kannst du|now|help me|i want you to|i need you to)\W{1,4}){0,3}(?:translate|rewrite|proofread|correct|summari[sz]e|paraphrase|edit|fix|improve|rephrase|shorten|spell-?check|parse|extract|classify|analy[sz]e|complete|continue|reply|respond|write|draft|compose|generate|create|give me|make up|act|pretend|imagine|role-?play|play|suppose|let['’]s (?:pretend|play|imagine|say)|say|repeat|print|output|echo|übersetze?|korrigiere?|schreibe?|formuliere?|verbessere?|fasse|ergänze|stell dir vor|tu so|spiele?|sag|wiederhole?|antworte)\b/iu
const TAKEN_BACK =
  /\b(?:just kidding|only kidding|only joking|just joking|jk|not really|that was a lie|i lied|april fools|nur spaß|nur ein (?:scherz|witz)|war gelogen|das stimmt nicht)\b/iu

/** Somebody else is to be played, or a text only shows what one could look like. */
const PERSONA =
  /\b(?:persona|role-?play(?:ing)?|in character|system prompt|placeholder|dummy|fictional|sample (?:bio|text|data|user))\b/iu
/** Right after what was said, or at the end of its sentence: then it was not meant so firmly. */
const HEDGED =
  /^[\s,–—-]{0,3}(?:if|unless|falls|wenn)\b|(?:^|[,\s–—-])\s{0,2}(?:i guess|i suppose|i think|i believe|i assume|i hope|or so|or something|supposedly|allegedly|apparently|maybe|perhaps|probably|possibly|as far as i know|afaik|iirc|glaube ich|denke ich|nehme ich an|schätze ich|angeblich|vermutlich|vielleicht|wahrscheinlich|oder so)[\s.,!…)]{0,4}$/iu

/** Whether what follows a claim takes its certainty away. */
export function isHedged(rest: string): boolean {
  return HEDGED.test(rest)
}

/** Whether a message is material to work on, or takes back what it says: nothing of it is learned. */
export function isTaskOrJest(text: string): boolean {
  return TASK.test(text.slice(0, 200)) || PERSONA.test(text.slice(0, 2_000)) || TAKEN_BACK.test(text)
}

/** Whether a sentence as a whole says nothing that is so. */
export function isNoStatement(sentence: string): boolean {
  return /\?["')\]\s]{0,4}$/.test(sentence) || ELSEWHERE.test(sentence) || REPORTED_AFTER.test(sentence)
}

/** Whether what stands before a clause makes it a guess, a condition or somebody else's words. */
export function isNotOwnClaim(before: string): boolean {
  return HYPOTHETICAL.test(before) || REPORTED.test(before)
}
