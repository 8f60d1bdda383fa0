import type { Identifier } from '../../domain/fold.ts'
import { mentionsIn } from '../summary/ledger.ts'

/** Kinds that are copied and never worded otherwise. Of the rest only long numbers are: `12 files` may have been counted. */
const COPIED: readonly Identifier['kind'][] = ['path', 'url', 'email', 'hash']
const NUMBER = /\d[\d,_.]{2,40}\d/g
const DIGITS_MIN = 4

/** Names and numbers in a text that its source does not have. Case, escapes and the grouping of digits may differ. */
export function inventedNames(text: string, source: string): readonly string[] {
  const known = fold(source)
  const ungrouped = ungroup(known)
  const names = mentionsIn(text, 'other').flatMap((mention) => (COPIED.includes(mention.kind) ? mention.text : []))
  const numbers = (text.match(NUMBER) ?? []).filter((number) => number.replaceAll(/\D/g, '').length >= DIGITS_MIN)
  return [...new Set([...names, ...numbers])].filter((name) => {
    const folded = fold(name).replace(/^\.\//, '')
    return !known.includes(folded) && !ungrouped.includes(ungroup(folded))
  })
}

/** A path inside JSON text has its backslashes twice and maybe its slashes escaped. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('\\', '')
}

function ungroup(text: string): string {
  return text.replaceAll(/(?<=\d)[,_.](?=\d)/g, '')
}
