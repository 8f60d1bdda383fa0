import type { Done } from '../progress.ts'
import { number, shortened } from './layout.ts'

interface Progress {
  readonly message: string
  readonly share?: Done | undefined
  /** How long it has taken so far. */
  readonly seconds: number
  /** How often it was drawn. */
  readonly frame: number
}

const BAR_CHARACTERS = 20
/** Before that, a guess at the time left is worth nothing. */
const SECONDS_MIN = 1
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const

/** One line about work in progress, no wider than the terminal: `████████░░░░ 40 % · 12 s left · 2.1 MB/s · Importing`. */
export function progressLine({ message, share, seconds, frame }: Progress, width: number): string {
  if (share === undefined || share.total <= 0) {
    const elapsed = seconds < SECONDS_MIN ? '' : ` · ${duration(seconds)}`
    return shortened(`${FRAMES[frame % FRAMES.length]} ${message}${elapsed}`, width - 1)
  }
  const part = Math.min(1, Math.max(0, share.done / share.total))
  const filled = Math.round(part * BAR_CHARACTERS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled)
  const left = part === 0 || seconds < SECONDS_MIN ? '' : ` · ${duration((seconds / part) * (1 - part))} left`
  const speed = seconds < SECONDS_MIN ? '' : ` · ${rate(share, seconds)}`
  return shortened(`${bar} ${Math.floor(part * 100)} %${left}${speed} · ${message}`, width - 1)
}

function rate({ done, unit }: Done, seconds: number): string {
  const each = done / seconds
  return unit === 'bytes' ? `${(each / 1e6).toFixed(1)} MB/s` : `${number(Math.round(each))} ${unit}/s`
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 100 ? `${whole} s` : `${number(Math.round(whole / 60))} min`
}
