import { terminalLine } from '../visible.ts'
import type { Plot } from './plot.ts'

const WIDTH = 720
const ROW = 28
const TOP = 52
const LABEL_WIDTH = 220
const TEXT_WIDTH = 120

/** A plot as a picture that needs nothing else: it follows the light or dark theme of the page that shows it. */
export function plotSvg({ title, bars }: Plot): string {
  const height = TOP + bars.length * ROW + 12
  const largest = Math.max(0, ...bars.map(({ value }) => value))
  const room = WIDTH - LABEL_WIDTH - TEXT_WIDTH
  const rows = bars.map(({ label, value, text }, index) => {
    const y = TOP + index * ROW
    const length = largest === 0 ? 0 : (value / largest) * room
    return [
      `  <text class="ink" x="${LABEL_WIDTH - 10}" y="${y + 15}" text-anchor="end">${escaped(shortLabel(label))}</text>`,
      `  <rect class="bar" x="${LABEL_WIDTH}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 10}" rx="2"/>`,
      `  <text class="dim" x="${(LABEL_WIDTH + length + 8).toFixed(1)}" y="${y + 15}">${escaped(text)}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { font: 13px system-ui, sans-serif }
    .ink { fill: #1f2328 } .dim { fill: #59636e } .bar { fill: #2f6f8f }
    @media (prefers-color-scheme: dark) { .ink { fill: #e6edf3 } .dim { fill: #9198a1 } .bar { fill: #63a4c4 } }
  </style>
  <text class="ink" x="12" y="26" font-weight="600">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

function shortLabel(label: string): string {
  return label.length > 30 ? `${label.slice(0, 29)}…` : label
}

function escaped(text: string): string {
  return terminalLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
