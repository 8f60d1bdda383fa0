import type { JSX } from 'preact'

/**
 * Characters that hide, or that change the direction or the look of what is around them: controls, soft hyphens, zero-width
 * characters, bidi marks and tags. A joiner between two emoji belongs there.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|[\uD800-\uDFFF]/gu

/** Stored text as text. What would not be seen is shown as its code point, in place. */
export function PlainText({ text }: { readonly text: string }): JSX.Element {
  const pieces: (string | JSX.Element)[] = []
  let end = 0
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > end) pieces.push(text.slice(end, found.index))
    pieces.push(<HiddenCharacter character={found[0]} />)
    end = found.index + found[0].length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return <bdi>{pieces}</bdi>
}

function HiddenCharacter({ character }: { readonly character: string }): JSX.Element {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return <span class="hidden-character">U+{code}</span>
}
