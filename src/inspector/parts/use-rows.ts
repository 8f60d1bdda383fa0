import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { RowHeights } from './row-heights.ts'

export type RowKey = string | number

/** The rows of a long list that are in view, measured as they are drawn. */
export interface Rows {
  readonly shown: readonly { readonly index: number; readonly key: RowKey }[]
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
  /** Names a row. Stays the same function as long as the rows do. */
  readonly keyOf: (index: number) => RowKey
  /** The row with a name, or any other if there is none. */
  readonly indexOf: (key: RowKey) => number
}

/** Rows drawn above and below those in view. */
const OVERSCAN = 4
/** A row that is being brought into view moves while the rows around it are measured. */
const ALIGNED_MAX = 12

/** What of the list the window shows. */
class ListView {
  heights: RowHeights
  /** Heights of rows that were drawn once, by name. */
  readonly known = new Map<RowKey, number>()
  keyOf: RowsOptions['keyOf']
  /** Where the list begins on the page. */
  top = 0
  /** The row that is being brought into view. */
  wanted: { readonly index: number; rounds: number } | undefined
  range: readonly [first: number, last: number] = [0, -1]

  constructor({ count, estimate, keyOf }: RowsOptions) {
    this.heights = new RowHeights(count, estimate)
    this.keyOf = keyOf
  }

  /** Another list of rows: those that stay keep their heights. */
  replace({ count, estimate, keyOf, indexOf }: RowsOptions): void {
    this.heights = new RowHeights(count, estimate)
    this.keyOf = keyOf
    for (const [key, height] of this.known) {
      const index = indexOf(key)
      if (index >= 0 && index < count && keyOf(index) === key) this.heights.measure(index, height)
    }
  }

  /** The rows to draw now. Returns whether they are others than before. */
  look(): boolean {
    const { heights } = this
    const offset = window.scrollY - this.top
    const first = Math.max(0, heights.rowAt(offset) - OVERSCAN)
    const last = Math.min(heights.count - 1, heights.rowAt(offset + window.innerHeight) + OVERSCAN)
    const same = first === this.range[0] && last === this.range[1]
    this.range = [first, last]
    return !same
  }

  align(): void {
    if (this.wanted === undefined) return
    const { index, rounds } = this.wanted
    const middle = this.heights.startOf(index) + this.heights.heightOf(index) / 2
    window.scrollTo(0, Math.max(0, this.top + middle - window.innerHeight / 2))
    this.wanted = rounds === 0 ? undefined : { index, rounds: rounds - 1 }
  }
}

/** Draws only what the window shows of a list with any number of rows. */
export function useRows(list: RefObject<HTMLElement | null>, options: RowsOptions): Rows {
  const { count, estimate, keyOf } = options
  const [, draw] = useState(0)
  const [view] = useState(() => new ListView(options))
  useMemo(() => view.replace(options), [count, estimate, keyOf])
  const redraw = (): void => draw((before) => before + 1)
  const waiting = useRef(0)
  const observer = useRef<ResizeObserver | undefined>(undefined)
  observer.current ??= new ResizeObserver((entries) => {
    // Layout is done at this point, so that reading it costs nothing.
    if (list.current !== null) view.top = Math.round(list.current.getBoundingClientRect().top + window.scrollY)
    const moved = measureRows(view, entries)
    if (moved !== 0 && view.wanted === undefined) window.scrollBy(0, moved)
    view.align()
    // What is drawn is in its place already; where the rest begins can wait for the next frame, which keeps this one short.
    if (waiting.current === 0)
      waiting.current = requestAnimationFrame(() => {
        waiting.current = 0
        redraw()
      })
  })
  useEffect(() => {
    const look = (): void => {
      if (view.look()) redraw()
    }
    const release = (): void => {
      view.wanted = undefined
    }
    const ended = new AbortController()
    const passive = { passive: true, signal: ended.signal }
    addEventListener('scroll', look, passive)
    addEventListener('resize', look, passive)
    for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(kind, release, passive)
    // What is above the list makes the page longer when it comes.
    observer.current?.observe(document.body)
    return () => {
      ended.abort()
      cancelAnimationFrame(waiting.current)
      observer.current?.disconnect()
      observer.current = undefined
    }
  }, [])
  const [measure] = useState(() => (row: HTMLElement | null) => {
    if (row !== null) observer.current?.observe(row)
  })
  view.look()
  const [first, last] = view.range
  return {
    shown: Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({
      index: first + at,
      key: keyOf(first + at),
    })),
    height: view.heights.total,
    start: view.heights.startOf(first),
    measure,
    show: (index) => {
      view.wanted = { index, rounds: ALIGNED_MAX }
      view.align()
      redraw()
    },
  }
}

/** Stores the heights of rows that were drawn. Returns by how much those in view were moved by rows above them. */
function measureRows(view: ListView, entries: readonly ResizeObserverEntry[]): number {
  const offset = window.scrollY - view.top
  let moved = 0
  for (const { target } of entries) {
    const index = Number((target as HTMLElement).dataset['index'])
    // Not a row, or gone since it was drawn.
    if (!target.isConnected || Number.isNaN(index)) continue
    const isAbove = view.heights.startOf(index) < offset
    const { height } = target.getBoundingClientRect()
    view.known.set(view.keyOf(index), height)
    const change = view.heights.measure(index, height)
    if (isAbove) moved += change
  }
  return moved
}
