import type { JSX } from 'preact'
import { chartRows } from './chart-rows.ts'

/** A label beside the chart, at a height. */
export interface MarginLabel {
  readonly top: number
  /** Left out on a narrow page. */
  readonly word?: string
  readonly text: string
  readonly kind?: 'budget' | 'fold' | 'cached'
}

/** Labels nearer than this would touch. */
const GAP = 15

/** The axis of the chart: what its lines and rows are. */
export function ChartMargin({ labels }: { readonly labels: readonly MarginLabel[] }): JSX.Element {
  let last = -GAP
  const placed = labels
    .toSorted((a, b) => a.top - b.top)
    .map((label) => {
      last = Math.max(label.top, last + GAP)
      return { ...label, top: last }
    })
  return (
    <div class="chart-margin" aria-hidden="true" style={{ height: `${chartRows.height}px` }}>
      {placed.map(({ top, word, text, kind = 'plain' }) => (
        <span key={`${word} ${text}`} class={`is-${kind}`} style={{ top: `${top}px` }}>
          {word !== undefined && <i>{word} </i>}
          {text}
        </span>
      ))}
    </div>
  )
}
