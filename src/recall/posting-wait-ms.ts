/** How long `recall` waits for messages that are not in the index yet. */
export const POSTING_WAIT_MS = 50
