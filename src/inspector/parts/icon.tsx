import type { JSX } from 'preact'

/** Lines of 16 by 16 pictures, drawn with one pen. */
const shapes = {
  sessions: 'M3 3.5h10M3 8h10M3 12.5h6',
  knowledge:
    'M8 2.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM3.5 10a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6ZM12.5 10a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6ZM7 6.3 4.5 10M9 6.3l2.5 3.7',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
  person: 'M8 2.8a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8ZM3.5 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 5v3l2 1.5',
  list: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  key: 'M5.5 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM7.7 7.8 13 2.5M11 4.5l2 2',
  bin: 'M3.5 4.5h9M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9',
  moon: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5A4.2 4.2 0 0 1 8 2.5Z',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  fork: 'M4.5 3.5v9M4.5 8c4 0 6-1 6-4.5M8.5 4.5l2-2 2 2',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  fold: 'M3 3h10M3 13h10M5 7l3-2 3 2M5 9l3 2 3-2',
  lines: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  tool: 'M9.5 3a3.3 3.3 0 0 0-3.2 4.3L2.8 10.8l2.4 2.4 3.5-3.5A3.3 3.3 0 0 0 13 5.8L11 7.5 8.8 7 8.5 5z',
  check: 'M3 8.5 6.5 12 13 4.5',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.8v.2',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'M6 3.5 10.5 8 6 12.5',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  offline: 'M2.5 2.5l11 11M5 9.5a4.2 4.2 0 0 1 3-1.2M3 7a7 7 0 0 1 2.4-1.6M8 5a7 7 0 0 1 5 2M8 12.2v.1',
  enter: 'M13 4v4.5H4M6.5 6 4 8.5 6.5 11',
  pencil: 'M3 13l.6-2.8L10.8 3 13 5.2 5.8 12.4z',
  transfer: 'M5 10V3M2.5 5.5 5 3l2.5 2.5M11 6v7M8.5 10.5 11 13l2.5-2.5',
} as const

export type IconName = keyof typeof shapes

/** A picture beside words; it says nothing that the words do not. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
