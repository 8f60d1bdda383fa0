export interface Member {
  /** The method or field as it is declared, on one line. */
  readonly signature: string
  readonly name: string
  readonly method: boolean
  /** The sentences of its comment, without examples. */
  readonly comment: string
  readonly example: string
  readonly throws: readonly string[]
  readonly default: string | undefined
}

export interface Declared {
  readonly name: string
  readonly comment: string
  readonly members: readonly Member[]
}

/** The exported interfaces of a source in `src/api`, with what their comments say. */
export function interfacesOf(source: string): readonly Declared[] {
  const pattern = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm
  return [...source.matchAll(pattern)].map(([, comment = '', name = '', body = '']) => ({
    name,
    comment: commentOf(comment).text,
    members: membersOf(body),
  }))
}

function membersOf(body: string): readonly Member[] {
  const pattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n((?: {2}(?!\/\*\*).*\n|\n(?! {2}\/\*\*))+)/g
  return [...body.matchAll(pattern)].map(([, comment = '', declared = '']) => {
    const signature = declared
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')
      .replace('readonly ', '')
    const { text, example, throws, default: whenLeftOut } = commentOf(comment)
    const [, name = ''] = /^([\w[\].]+)/.exec(signature) ?? []
    return {
      signature,
      name,
      method: /^[\w[\].]+(<[^(]*>)?\(/.test(signature),
      comment: text,
      example,
      throws,
      default: whenLeftOut,
    }
  })
}

function commentOf(comment: string): Pick<Member, 'example' | 'throws' | 'default'> & { readonly text: string } {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [text = '', ...tags] = lines.join('\n').split(/(?:^|\s)@(?=example|throws|default|param)/)
  const tagged = (name: string): string[] =>
    tags.filter((tag) => tag.startsWith(name)).map((tag) => tag.slice(name.length).trim())
  return {
    text: text.trim(),
    example: tagged('example')[0] ?? '',
    throws: tagged('throws').map((sentence) => sentence.replace(/^\{MemoryError\} /, '')),
    default: tagged('default')[0],
  }
}
