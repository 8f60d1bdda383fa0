import { terminalLine } from '../visible.ts'
import { shortened } from './layout.ts'
import type { Plot } from './plot.ts'

const LABEL_MAX = 28
const BAR_MIN = 10
const BAR_MAX = 48
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A plot as lines of text that are no wider than the terminal. */
export function plotLines({ title, bars }: Plot, width: number): readonly string[] {
  const labels = bars.map(({ label }) => shortened(terminalLine(label), LABEL_MAX))
  const labelWidth = Math.max(0, ...labels.map(({ length }) => length))
  const textWidth = Math.max(0, ...bars.map(({ text }) => text.length))
  const room = Math.max(BAR_MIN, Math.min(BAR_MAX, width - labelWidth - textWidth - 4))
  const largest = Math.max(0, ...bars.map(({ value }) => value))
  const lines = bars.map(({ value, text }, index) => {
    const label = (labels[index] ?? '').padEnd(labelWidth)
    return `${label}  ${bar(largest === 0 ? 0 : value / largest, room)}  ${text}`.trimEnd()
  })
  return [title, ...lines]
}

/** A share of the room in blocks, to an eighth of a character. */
function bar(share: number, room: number): string {
  const eighths = Math.round(share * room * 8)
  const drawn = share > 0 ? Math.max(1, eighths) : 0
  return `${'█'.repeat(Math.floor(drawn / 8))}${EIGHTHS[drawn % 8] ?? ''}`
}
