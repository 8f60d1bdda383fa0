/** A fenced block of a document. */
export interface CodeBlock {
  readonly language: string
  /** What follows the language on the fence, as `continues`. */
  readonly note: string
  readonly text: string
  /** Of the first line of the text, from 1. */
  readonly line: number
}

/** The fenced blocks of a Markdown text, in order. A fence that is never closed is an error. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const lines = markdown.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^```(\S*)\s*(.*)$/.exec(lines[index] ?? '')
    if (fence === null) continue
    const end = lines.indexOf('```', index + 1)
    if (end === -1) throw new Error(`Cannot read the document: the block of line ${index + 1} is not closed`)
    const [, language = '', note = ''] = fence
    blocks.push({ language, note, text: lines.slice(index + 1, end).join('\n'), line: index + 2 })
    index = end
  }
  return blocks
}

/** The programs in comments: what follows an `@example`, up to the next tag or the end of the comment, at its own lines. */
export function commentExamples(source: string): { readonly line: number; readonly text: string }[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\*(?!\/| @)[^\n]*\n)+)/gm)].map(({ 1: body = '', index }) => {
    const line = source.slice(0, index).split('\n').length + 1
    return { line, text: '\n'.repeat(line - 1) + body.replaceAll(/^ *\* ?/gm, '') }
  })
}

/**
 * The programs of a document: each `ts` block is one, and a block marked `ts continues` goes on with the one before it.
 * A program keeps the line numbers of its document, so that an error points there.
 */
export function programs(blocks: readonly CodeBlock[]): { readonly line: number; readonly text: string }[] {
  const all: { line: number; text: string }[] = []
  for (const { language, note, text, line } of blocks) {
    if (language !== 'ts') continue
    const last = all.at(-1)
    if (note === 'continues' && last !== undefined) {
      const length = last.text.split('\n').length
      last.text += '\n'.repeat(Math.max(1, line - length)) + text
    } else {
      all.push({ line, text: '\n'.repeat(line - 1) + text })
    }
  }
  return all
}
