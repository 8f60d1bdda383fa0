/** What `metadata.daybook` is on a message that Daybook itself put into a request: recalled text, which was said before. */
export const RECALLED = 'recalled'

/** Names the block that recalled text stands in, and the message that carries it. */
export const LONG_TERM_TAG = 'long_term_memory'

/** Tools by which an agent asks its memory: their calls are questions, not something that was said. */
export const MEMORY_TOOLS: readonly string[] = [
  'record_to_memory',
  'retrieve_from_memory',
  'reopen',
  'search_history',
  'forget',
]

/**
 * Whether a message is recalled text: by its mark, or by its name where a host has lost the mark. The log keeps one that is
 * appended, but nobody learns from it or indexes it again, or memory would feed on itself.
 */
export function isRecalled(message: {
  readonly name?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}): boolean {
  const { name, metadata } = message
  return (
    name === LONG_TERM_TAG ||
    (metadata != null && Object.hasOwn(metadata, 'daybook') && metadata['daybook'] === RECALLED)
  )
}

/** As we write it: without a nonce, somebody speaks about the tag. */
const BLOCK = /<long_term_memory nonce="[^"<>]{1,64}">/g
const BLOCK_END = '</long_term_memory>'

/**
 * Text with blanks in place of the blocks in which recalled material was shown, so that what comes before and after keeps
 * its place. A block that is never closed ends with the text.
 */
export function withoutRecalled(text: string): string {
  let kept = ''
  let from = 0
  for (const { 0: tag, index } of text.matchAll(BLOCK)) {
    if (index < from) continue
    const end = text.indexOf(BLOCK_END, index + tag.length)
    const through = end < 0 ? text.length : end + BLOCK_END.length
    kept += text.slice(from, index) + ' '.repeat(through - index)
    from = through
  }
  return kept + text.slice(from)
}
