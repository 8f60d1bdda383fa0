/** The key of the record of an item. Labels are encoded and never empty, so two slashes end the namespace. */
export function itemKey(namespace: readonly string[], key: string): string {
  return `${itemPrefix(namespace)}/${encodeURIComponent(key)}`
}

/** What the keys of all items in a namespace and below it begin with. */
export function itemPrefix(namespace: readonly string[]): string {
  return namespace.map((label) => `${encodeURIComponent(label)}/`).join('')
}

export function readItemKey(text: string): { readonly namespace: string[]; readonly key: string } {
  const end = text.indexOf('//')
  return {
    namespace: text.slice(0, end).split('/').map(decodeURIComponent),
    key: decodeURIComponent(text.slice(end + 2)),
  }
}
