import { ignoreCase } from './ignore-case.ts'
import { normalizeText } from './normalize-text.ts'

/** Text as it is compared for sameness: compatibility forms, white space and case make no difference. */
export function normalForm(text: string): string {
  return ignoreCase(normalizeText(text, 'NFKC')).trim().replaceAll(/\s+/gu, ' ')
}

/** The one spelling of a predicate: `works at`, `worksAt`, `Works-At` and `works_at` are `works_at`. */
export function normalPredicate(name: string): string {
  return normalizeText(name, 'NFKC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
}

/** For finding what was probably meant to be the same: letters and digits only, no accents, no leading article. */
export function looseForm(text: string): string {
  return normalizeText(text, 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the|a|an) (?=.)/, '')
}
