import type { Tokenizer } from '../ports/tokenizer.ts'

export type Encoding = 'o200k_base' | 'cl100k_base'

/** The slice of `gpt-tokenizer/encoding/*` that is used. */
interface EncodingModule {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number
  clearMergeCache(): void
}

/**
 * gpt-tokenizer remembers pieces it merged, as slices that keep the whole text they came from in memory. Forgetting them
 * after this many characters bounds what is kept; what recurs is merged again.
 */
const CHARACTERS_REMEMBERED_MAX = 2_000_000

const loading = new Map<Encoding, Promise<Tokenizer>>()

/**
 * The tokenizer of OpenAI's models, exact. The first call for an encoding reads its vocabulary: about 0.2 s, in which the
 * event loop stands still, and 67 MB for `o200k_base`. Later calls give the same tokenizer.
 *
 * A run of letters, of punctuation or of white space over 256 bytes is counted in pieces, because merging it as a whole
 * is quadratic: 40 kB of one letter would take seconds. Each cut adds a token, which makes the count an upper bound:
 * a cut can part a pair that would have been merged, and (rarely) let two others merge.
 */
export function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  let tokenizer = loading.get(encoding)
  if (tokenizer === undefined) {
    tokenizer = load(encoding)
    loading.set(encoding, tokenizer)
    tokenizer.catch(() => loading.delete(encoding))
  }
  return tokenizer
}

async function load(encoding: Encoding): Promise<Tokenizer> {
  const [{ countTokens, clearMergeCache }, { longRunCuts }] = await Promise.all([
    importEncoding(encoding),
    import('./long-runs.ts'),
  ])
  // Text that spells a special token, such as `<|endoftext|>`, is text; by default the library throws.
  const options = { disallowedSpecial: new Set<string>() }
  let remembered = 0
  return {
    name: encoding,
    exact: true,
    count(text) {
      remembered += text.length
      if (remembered > CHARACTERS_REMEMBERED_MAX) {
        clearMergeCache()
        remembered = text.length
      }
      const cuts = longRunCuts(text)
      if (cuts.length === 0) return countTokens(text, options)
      let tokens = cuts.length
      let start = 0
      for (const cut of cuts) {
        tokens += countTokens(text.slice(start, cut), options)
        start = cut
      }
      return tokens + countTokens(text.slice(start), options)
    },
  }
}

function importEncoding(encoding: Encoding): Promise<EncodingModule> {
  return encoding === 'o200k_base'
    ? import('gpt-tokenizer/encoding/o200k_base')
    : import('gpt-tokenizer/encoding/cl100k_base')
}
