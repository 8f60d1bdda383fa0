/** What `metadata.daybook` is on a message that Daybook itself put into a request: recalled text, which was said before. */
export const RECALLED = 'recalled'

/** Whether a message is recalled text. The log keeps one that is appended, but nobody learns from it or indexes it again. */
export function isRecalled(message: {
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}): boolean {
  const { metadata } = message
  return metadata != null && Object.hasOwn(metadata, 'daybook') && metadata['daybook'] === RECALLED
}

/** Names the block that recalled text stands in, and the message that carries it. */
export const LONG_TERM_TAG = 'long_term_memory'
