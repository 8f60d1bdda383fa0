/** The instructions of a host as one text. */
export function systemText(system: readonly { readonly content: unknown }[]): string {
  return system.flatMap(({ content }) => (typeof content === 'string' && content !== '' ? [content] : [])).join('\n\n')
}
