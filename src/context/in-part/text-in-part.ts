import { headAndTail } from '../summary/excerpt.ts'
import { neutralise } from '../summary/marker.ts'
import { describeText } from './describe-text.ts'
import { errorLines } from './error-lines.ts'

/** Of what is shown, at most this share is for error lines from the part that is left out. */
const ERRORS_SHARE = 1 / 4
/** With less room than this, only the beginning and the end are shown. */
const ERRORS_CHARACTERS_MIN = 400
/** However long a text is. */
const ERRORS_CHARACTERS_MAX = 2_000

/** A text that is too large for a context: what it is, its size, its head, its errors, its tail, and the id that opens it. */
export class TextInPart {
  readonly #text: string
  readonly #kind: string
  readonly #id: string
  #about: string | undefined
  #errors: readonly string[] | undefined

  constructor(text: string, kind: string, id: string) {
    this.#text = text
    this.#kind = kind
    this.#id = id
  }

  /** About so many characters of it, besides the line that says what it is. */
  show(characters: number): string {
    const text = this.#text
    const room = characters < ERRORS_CHARACTERS_MIN ? 0 : Math.floor(characters * ERRORS_SHARE)
    const errors = room === 0 ? [] : this.#hiddenErrors(headAndTail(text, characters), room)
    const spent = errors.reduce((sum, line) => sum + line.length + 3, 0)
    const { head, tail } = headAndTail(text, characters - spent)
    const left = text.length - head.length - tail.length
    return [
      this.#marker(left),
      neutralise(head),
      ...(errors.length === 0 ? ['…'] : ['… errors in the part left out:', ...errors.map((line) => `> ${line}`), '…']),
      neutralise(tail),
    ]
      .filter((piece) => piece !== '')
      .join('\n')
  }

  #hiddenErrors({ head, tail }: { readonly head: string; readonly tail: string }, charactersMax: number): string[] {
    this.#errors ??= errorLines(this.#text, ERRORS_CHARACTERS_MAX)
    let room = charactersMax
    return this.#errors.filter((line) => !head.includes(line) && !tail.includes(line) && (room -= line.length + 3) >= 0)
  }

  /** `[truncated tool result, 61234 characters, 1402 lines, 59000 characters left out, reopen message-12]` */
  #marker(left: number): string {
    this.#about ??= describeText(this.#text)
    const about = this.#about === '' ? [] : [this.#about]
    const facts = [`${this.#text.length} characters`, ...about, `${left} left out`, `reopen ${this.#id}`]
    return `[truncated ${[this.#kind, ...facts].join(', ')}]`
  }
}
