import { unicodeEscape } from '../domain/unicode-escape.ts'

/**
 * What a terminal would obey or hide instead of showing: control characters, bidirectional overrides, zero-width and other
 * ignorable characters, halves of surrogate pairs. Line feeds and tabs are text. What joins emoji and scripts is left alone.
 */
const OBEYED =
  /(?!\n|\t|\u200C|\u200D|[\uFE00-\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Stored text as a terminal may get it: nothing in it moves the cursor, changes colours or hides. */
export function terminalText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(OBEYED, unicodeEscape)
}

/** The same for text that comes in pieces, which may be cut in the middle of a character or of a line's end. */
export function visibleStream(): { readonly add: (piece: string) => string; readonly end: () => string } {
  let held = ''
  return {
    add: (piece) => {
      const text = held + piece
      held = /[\uD800-\uDBFF\r]$/.exec(text)?.[0] ?? ''
      return terminalText(text.slice(0, text.length - held.length))
    },
    end: () => terminalText(held),
  }
}

/** The same on one line. */
export function terminalLine(text: string): string {
  return terminalText(text.replaceAll(/\s+/g, ' ').trim())
}

/** JSON that a terminal shows as it is: what `JSON.stringify` leaves raw stands as escapes, which read back the same. */
export function terminalJSON(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replaceAll(OBEYED, unicodeEscape)
}
