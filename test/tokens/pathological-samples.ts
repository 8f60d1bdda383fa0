import type { Sample } from './samples.ts'

/** Texts of about `length` characters that make a quadratic tokenizer stand still. */
export function pathologicalSamples(length: number): readonly Sample[] {
  const fill = (piece: string): string => piece.repeat(Math.ceil(length / piece.length))
  let state = 1
  const letter = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCharCode(97 + Math.floor((state / 2 ** 32) * 26))
  }
  const letters = Array.from({ length }, letter).join('')
  return [
    { name: 'one letter', text: fill('a') },
    { name: 'one capital', text: fill('A') },
    { name: 'changing case', text: fill('aA') },
    { name: 'letters without order', text: letters },
    { name: 'spaces', text: fill(' ') },
    { name: 'line breaks', text: fill('\n') },
    { name: 'spaces and line breaks', text: fill(' \n') },
    { name: 'tabs', text: fill('\t') },
    { name: 'one emoji', text: fill('😀') },
    { name: 'joined emoji', text: fill('👩‍') },
    { name: 'joiners', text: fill('\u200d') },
    { name: 'accents on one letter', text: `a${fill('\u0301')}` },
    { name: 'one Han character', text: fill('中') },
    { name: 'one Thai letter', text: fill('ก') },
    { name: 'Cuneiform', text: fill('\u{12000}') },
    { name: 'punctuation', text: fill('!?') },
    { name: 'one mark', text: fill('-') },
    { name: 'base64', text: Buffer.from(letters).toString('base64').slice(0, length) },
    { name: 'digits', text: fill('1234567890') },
    { name: 'lone surrogates', text: fill('\ud800') },
    { name: 'surrogates the wrong way round', text: fill('\udc00\ud800') },
    { name: 'NUL', text: fill('\u0000') },
    { name: 'deep JSON', text: '['.repeat(length / 2) + ']'.repeat(length / 2) },
    { name: 'special tokens', text: fill('<|endoftext|>') },
  ]
}
