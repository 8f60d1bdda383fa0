import { findSecrets } from '../../domain/secrets.ts'

/** Words for what must not be handed to a model, in front of its value. */
const NAMED =
  /\b(?:pass(?:word|wort|code|phrase)s?|pin(?:[- ]?code)?|cvv|cvc|tan|ssn|social security(?: number)?|(?:credit |debit |bank )?card(?:[- ]number)?|kreditkarten?(?:nummer)?|(?:seed|recovery|backup) (?:phrase|code|key|word)s?|private key|(?:api|access|secret|encryption|licen[cs]e) key|(?:access |auth |bearer )?token|client secret|one-time code|otp|2fa code|security (?:code|answer)|(?:safe|lock|vault|locker)(?:['’]s)? (?:combination|code)|combination|log-?in(?: data| details)?|credentials|passport number|mother['’]s maiden name)\b.{0,30}?(?:\b(?:is|are|was|ist|lautet|sind)\b|[:=])/iu
const DIGITS = /(?:\d[ -]?){12,18}\d/gu

/** Whether a text gives away a password, a key, a card number or the like. Such a text teaches nothing. */
export function holdsSecret(text: string): boolean {
  return (
    NAMED.test(text) ||
    findSecrets(text, '', false).length > 0 ||
    [...text.matchAll(DIGITS)].some(([found]) => isCard(found))
  )
}

/** The check digit of card numbers. */
function isCard(found: string): boolean {
  const digits = [...found.replaceAll(/\D/gu, '')].map(Number).toReversed()
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit : digit * 2
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
