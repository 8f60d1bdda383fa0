/** What we promise about the page. */
export const inspectorPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'inspector-1',
    'The link of `daybook serve` opens the inspector: sessions with their scopes as a tree, conversations as they are written, state, compactions, facts with the words they came from, and recall with reasons. Each view has an address. Long conversations are drawn only where they are in view.',
  ],
  [
    'inspector-2',
    'The key of the link goes once to an httpOnly, SameSite=Strict cookie and leaves the address. The cookie counts only for requests of the page itself, and stops with the key.',
  ],
  [
    'inspector-3',
    'The inspector shows stored content only as text: 500 XSS payloads in every field run nothing and request nothing from elsewhere. Characters that hide or turn text around are shown as code points. Other sites cannot frame it.',
  ],
  [
    'inspector-4',
    'The inspector can be used by keyboard alone, has no violations of WCAG 2 A and AA that axe finds, in light and dark, and never scrolls sideways at 360 px.',
  ],
  ['inspector-5', 'While the server is away, the inspector keeps what it shows and says so; it goes on by itself.'],
  ['inspector-6', 'The first view of the inspector loads at most 60 kB of script, compressed; the whole page 200 kB.'],
]
