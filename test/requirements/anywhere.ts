/** What we promise about installing and running anywhere. */
export const anywherePromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'anywhere-1',
    '`openMemory` chooses the driver by the address: a path or `file:` address, `:memory:`, `postgres://`, `http://`. `file:agent.db` is the file agent.db.',
  ],
  [
    'anywhere-2',
    'The link that `daybook serve` prints opens the memory, key included. The key is in the fragment, which is never sent; in a query it is refused.',
  ],
  [
    'anywhere-3',
    'On a Node that is too old (20, 22.13) the library throws a `MemoryError` with the version found and the version wanted, before a native driver is loaded; the command line prints the same and exits 1.',
  ],
  ['anywhere-4', 'The packed package runs on Node 22.14, 24 and 26.'],
]
