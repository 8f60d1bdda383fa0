/** "Can you …" speaks to the assistant, not about it. */
export const ADDRESSED: RegExp =
  /\b(?:can|could|would|will|do|did) you (?:please |kindly )?(?:tell|remember|recall|remind|find|show|give|help|list|explain|know)\b|\bkannst du\b|\bweißt du\b|你(?:知道|记得|能)/gi

/** "How do I …", "tell me …" and "should I …" speak of nobody here. */
export const GENERAL: RegExp = new RegExp(
  [
    String.raw`\bhow (?:do|does|can|could|should|would) (?:i|you|we|one)\b`,
    String.raw`\b(?:tell|give|show|help|teach|explain to|write|draw|let|find|get|make) me\b`,
    String.raw`\bme (?:a|an|the|some)\b`,
    String.raw`(?<!\b(?:do|did|does|should|would|what|where|who|that) )\bi (?:want|need|would like|'d like) (?:you )?to\b`,
    String.raw`\bcan i\b`,
    String.raw`\bshould i\b(?! (?:not|never|avoid|be|have)\b)`,
    String.raw`(?<!\p{L})(?:erzähl|erklär|zeig|gib|sag|schreib|hilf|nenn|mach|such|empfiehl|übersetz)e? mir\b|\bkannst du mir\b`,
    String.raw`\bwie (?:kann|soll|muss) ich\b|\bsoll(?:te)? ich\b`,
    String.raw`(?:raconte|dis|donne|explique|montre|écris|aide|fais|trouve|propose|traduis)[- ]moi(?!\p{L})`,
    String.raw`(?:peux|pourrais|pouvez|pourriez)[- ](?:tu|vous) m(?:e |['’])`,
    String.raw`(?<!\p{L})(?:me|mi) (?:puedes|podrías|ayudas|cuentas|dices|explicas|das|pode|conte|conta|diga|explique|dê|ajude|puoi|potresti|racconti|spieghi|dici|aiuti)(?!\p{L})`,
    String.raw`(?:conta|diz|explica|ajuda)-me(?!\p{L})`,
    String.raw`\b(?:vertel|geef|help|schrijf|leg|toon) (?:me|mij)\b|\b(?:berätta för|ge|hjälp|visa) mig\b`,
    String.raw`(?:расскажи|напиши|объясни|покажи|дай|скажи|помоги|переведи|подскажи)(?:те)? мне(?!\p{L})`,
    String.raw`(?<!\p{L})bana(?= .*(?:anlat|söyle|yaz|göster|ver|açıkla|çevir))`,
    String.raw`(?:给|帮|告诉|教|跟)我`,
  ].join('|'),
  'giu',
)

/** "The story about the lighthouse" is one that was told. */
const TOLD = String.raw`(?<!(?<!\p{L})(?:the|that|this|which|his|her|their|der|die|das|el|la|le|il) (?:\p{L}+ )?)`

/** "A poem about the sea" asks for something new: what was said about the sea does not matter, unless somebody's name is in it. */
export const INVENTED: RegExp = new RegExp(
  [
    String.raw`${TOLD}\b(?:poem|haiku|sonnet|limerick|stor(?:y|ies)|tale|joke|riddle|pun|song|rap|essay|fun fact|tongue twister)s? (?:about|on|for|with)\b`,
    String.raw`${TOLD}\b(?:gedicht|haiku|witz|geschichte|märchen|lied) (?:über|von|vom)\b`,
    String.raw`${TOLD}(?:poème|haïku|histoire|blague|chanson) (?:sur|à propos)`,
    String.raw`${TOLD}\b(?:poema|haiku|cuento|historia|chiste|canción|poesia|storia|barzelletta|piada|história) (?:sobre|su|sul|sulla|de|del)\b`,
    String.raw`(?:стихотворение|стих|стихи|сказку|историю|рассказ|анекдот|хокку) (?:о|об|про)(?!\p{L})`,
    String.raw`关于.*的(?:诗|故事|笑话|歌)|についての?(?:俳句|詩|話|物語)`,
  ].join('|'),
  'iu',
)
