import type { SeqRange } from '../../domain/fold.ts'

/** `12,345`, the same everywhere. */
export function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

/** `1 message`, `2 messages`. */
export function counted(value: number, word: string): string {
  return `${number(value)} ${word}${value === 1 ? '' : 's'}`
}

/** Minutes, in UTC: the same on every machine. */
export function time(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

/** `[3]`, `[3–7]`, `[3–7, 9]`. */
export function ranges(list: readonly SeqRange[]): string {
  return `[${list.map(({ from, through }) => (from === through ? `${from}` : `${from}–${through}`)).join(', ')}]`
}

/** Breaks lines at spaces so that none is wider; a word that is longer than a line stays whole. */
export function wrap(text: string, width: number | undefined): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => (width === undefined || line.length <= width ? [line] : broken(line, width)))
}

function broken(line: string, width: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}

/** The beginning of a text, with what was left out said. */
export function shortened(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}
