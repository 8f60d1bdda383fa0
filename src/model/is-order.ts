/** No report of what was said begins a sentence like that. */
const ORDERS: readonly RegExp[] = [
  /^\W*(?:please\s+)?(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|prompts?|rules?|messages?|guidelines?|everything|above)\b/i,
  /^\W*(?:you are now|you will now|from now on,? you|your new (?:task|role|goal|instructions?))\b/i,
  /^\W*(?:new |updated )?(?:system|developer) (?:prompt|message|instructions?)\s*:/i,
]
const CONTROL_TOKENS = /<\|[^|<>\s]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:s|start_of_turn|end_of_turn|bos|eos)>/

/** Whether a text gives orders to whoever reads it, or holds control tokens of a chat template. */
export function isOrder(text: string): boolean {
  return CONTROL_TOKENS.test(text) || ORDERS.some((order) => order.test(text))
}
