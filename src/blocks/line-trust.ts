import { lines } from '../domain/lines.ts'
import { type Trust, lowestTrust } from '../domain/trust.ts'

/** A text and the trust of its lines, one digit each. */
export interface TrustedText {
  readonly text: string
  readonly trust: string
}

/** A line that was there before keeps its trust, whoever writes it again; a new line has the trust of its writer. */
export function rewrittenTrust(before: TrustedText, text: string, writer: Trust): string {
  const known = new Map<string, Trust>()
  for (const [index, line] of lines(before.text).entries()) {
    const trust = trustAt(before.trust, index)
    known.set(line, lowestTrust([trust, known.get(line) ?? trust]))
  }
  return lines(text)
    .map((line) => (line.trim() === '' ? 3 : (known.get(line) ?? writer)))
    .join('')
}

/** The trust after a piece of the text was replaced: the lines it was in have the lowest trust of all that is now in them. */
export function replacedTrust(
  before: TrustedText,
  { at, length, put }: { readonly at: number; readonly length: number; readonly put: string },
  writer: Trust,
): string {
  const first = lines(before.text.slice(0, at)).length - 1
  const last = lines(before.text.slice(0, at + length)).length - 1
  const digits = [...before.trust]
  const mixed = lowestTrust([writer, ...digits.slice(first, last + 1).map((digit) => Number(digit) as Trust)])
  const after = before.text.slice(0, at) + put + before.text.slice(at + length)
  const changed = lines(after).length - (digits.length - (last - first + 1))
  return [...digits.slice(0, first), ...Array.from({ length: changed }, () => mixed), ...digits.slice(last + 1)].join(
    '',
  )
}

function trustAt(trust: string, index: number): Trust {
  return Number(trust[index] ?? '0') as Trust
}
