import { Virtualizer, observeWindowOffset, observeWindowRect, windowScroll } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** The rows of a long list that are in view, measured as they are drawn. */
export interface Rows {
  readonly shown: readonly { readonly index: number; readonly key: string | number }[]
  /** The height of all rows, and where the first shown one begins. */
  readonly height: number
  readonly start: number
  /** For the `ref` of a row, which has its number in `data-index`. */
  measure(row: HTMLElement | null): void
  /** Brings a row into view. */
  show(index: number): void
}

interface RowsOptions {
  readonly count: number
  readonly estimate: number
  /** Names a row. Another function makes all rows be laid out again, so it stays the same as long as the rows do. */
  readonly keyOf: (index: number) => string | number
}

/** Draws only what the window shows of a list with any number of rows. */
export function useRows(list: RefObject<HTMLElement | null>, { count, estimate, keyOf }: RowsOptions): Rows {
  const [, draw] = useState(0)
  const options = {
    count,
    getScrollElement: () => window,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    overscan: 6,
    // Rounded: a new margin makes all rows be laid out again.
    scrollMargin: list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + window.scrollY),
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    onChange: () => draw((before) => before + 1),
  }
  const [rows] = useState(() => new Virtualizer<Window, HTMLElement>(options))
  rows.setOptions(options)
  useEffect(() => rows._didMount(), [])
  useLayoutEffect(() => rows._willUpdate())
  // Where the list begins is known only after it was drawn once.
  useLayoutEffect(() => draw((before) => before + 1), [])
  const shown = rows.getVirtualItems()
  return {
    shown: shown.map(({ index, key }) => ({ index, key: key as string | number })),
    height: rows.getTotalSize(),
    start: (shown[0]?.start ?? options.scrollMargin) - options.scrollMargin,
    measure: rows.measureElement,
    show: (index) => rows.scrollToIndex(index, { align: 'center' }),
  }
}
