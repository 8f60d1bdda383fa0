const REFUSAL =
  /^\W*(?:(?:i['’]m|i am|we['’]re|we are)\s+(?:very\s+|so\s+|really\s+)?(?:sorry|afraid)\b|sorry\b|i apologi[sz]e\b|as an? (?:ai|artificial|(?:large )?language model)\b|(?:i|we)\s+(?:can(?:['’]t|not| not)|won['’]t|will not|must decline|(?:am|are) (?:unable|not able|not allowed) to|decline)\b.{0,60}\b(?:help|assist|comply|summari[sz]e|provide|fulfil+|process|engage|do (?:that|this|so))\b)/i

/** Whether an answer that is no JSON is a refusal. */
export function isRefusal(text: string): boolean {
  return REFUSAL.test(text.slice(0, 400))
}
