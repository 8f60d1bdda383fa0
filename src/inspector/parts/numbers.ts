const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Numbers and times as the page writes them. */
export const written = {
  number: (value: number): string => whole.format(value),
  /** "1 message", "2 messages". */
  count: (value: number, one: string, many = `${one}s`): string => `${whole.format(value)} ${value === 1 ? one : many}`,
  bytes: (value: number): string =>
    value < 1_000
      ? `${value} bytes`
      : value < 1e6
        ? `${whole.format(value / 1_000)} kB`
        : `${(value / 1e6).toFixed(1)} MB`,
  /** In any currency. */
  price: (amount: number): string => amount.toFixed(amount < 1 ? 4 : 2),
  time: (at: string | number): string => clock.format(new Date(at)),
  seconds: (at: string | number): string => seconds.format(new Date(at)),
  day: (at: string | number): string => day.format(new Date(at)),
  date: (at: string | number): string => date.format(new Date(at)),
  /** In full, for titles and screen readers. */
  moment: (at: string | number): string => `${date.format(new Date(at))}, ${seconds.format(new Date(at))}`,
  /** "14 min ago"; the date when it is long ago. */
  ago(at: string | number, now: number = Date.now()): string {
    const ms = now - new Date(at).getTime()
    if (ms < MINUTE_MS) return 'now'
    if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
    if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
    return day.format(new Date(at))
  },
  /** The heading of a day in a list: "Today", "Yesterday", "Earlier in May", "March 2026". */
  dayHeading(at: string | number, now: number = Date.now()): string {
    const then = new Date(at)
    const today = new Date(now)
    const days = Math.round((startOfDay(today) - startOfDay(then)) / DAY_MS)
    if (days <= 0) return 'Today'
    if (days === 1) return 'Yesterday'
    const month = then.toLocaleDateString('en-GB', { month: 'long' })
    if (then.getFullYear() !== today.getFullYear()) return `${month} ${then.getFullYear()}`
    return then.getMonth() === today.getMonth() ? `Earlier in ${month}` : month
  },
} as const

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
}
