/** Text of the result that stands in for one that never came. */
export const INTERRUPTED = '[no result: interrupted]'
/** What a transcript with nothing usable in it becomes. */
export const EMPTY_CONVERSATION = '[empty conversation]'
/** Put before a transcript that starts with the assistant, for providers that want the user first. */
export const START_OF_CONVERSATION = '[start of conversation]'
/** Put after a transcript that ends with the assistant, for providers that want the user last. */
export const CONTINUE = '[continue]'
