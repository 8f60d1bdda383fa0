/** No report of what was said begins a sentence like that. */
const ORDERS: readonly RegExp[] = [
  /^\W*(?:please\s+)?(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|prompts?|rules?|messages?|guidelines?|everything|above)\b/i,
  /^\W*(?:you are now|you will now|from now on,? you|your new (?:task|role|goal|instructions?))\b/i,
  /^\W*you (?:must|should|shall|need to|have to)\b/i,
  /^\W*(?:new |updated )?(?:system|developer) (?:prompt|message|instructions?)\s*:/i,
]
/** An order may follow whatever parts two clauses: a colon or an abbreviation too, so this is no rule for sentences. */
const CLAUSE_END = /(?<=[.!?:;])\s+|\n/
const CONTROL_TOKENS = /<\|[^|<>\s]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:s|start_of_turn|end_of_turn|bos|eos)>/

/** Whether a text gives orders to whoever reads it, or holds control tokens of a chat template. */
export function isOrder(text: string): boolean {
  return (
    CONTROL_TOKENS.test(text) || text.split(CLAUSE_END).some((clause) => ORDERS.some((order) => order.test(clause)))
  )
}
