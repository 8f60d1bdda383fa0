import type { Calibration } from '../domain/calibration.ts'

/** Why a report is left out: see {@link Calibration.lastIgnored}. */
type Ignored = NonNullable<Calibration['lastIgnored']>

export interface UsageSample {
  /** The uncalibrated estimate of the whole request. */
  readonly estimated: number
  /** The input tokens the provider reported for it, cached ones included. */
  readonly reported: number
}

/** Further off is another request's usage, or one that left out what was cached. */
const RATIO_MAX = 10
/** Below, the frame of a request outweighs its text. */
const ESTIMATED_MIN = 50
/** After so many samples an old one weighs less than a new one, so that a changed tokenizer is followed. */
const MEMORY_SAMPLES = 32
/** A report, the first one included, moves the ratio by at most this many spreads, so one wrong report does little harm. */
const OUTLIER_SPREADS = 3
const SPREAD_MIN = 0.05
/** Before any report. What the estimator may be too low by on text it was not fitted to. */
const MARGIN_FIRST = 0.15
const MARGIN_MIN = 0.02
/** How many samples it takes to believe half of what they say about an estimate being too high. */
const TRUST_SAMPLES = 4

/** Adds one report. Pure: returns a new record; for a report that makes no sense, the same one with the reason. */
export function observe(before: Calibration | undefined, usage: UsageSample, model: string): Calibration {
  const now = sound(before) ?? { model, samples: 0, ratio: 1, spread: 0, ignored: 0 }
  const reason = reasonToIgnore(usage)
  if (reason !== undefined) return { ...now, ignored: now.ignored + 1, lastIgnored: reason }
  // Logarithms, so that twice and half are equally far from right.
  const center = Math.log(now.ratio)
  const distance = Math.log(usage.reported / usage.estimated) - center
  const samples = now.samples + 1
  if (samples === 1) return { ...now, samples, ...firstSample(distance) }
  const step = OUTLIER_SPREADS * Math.max(now.spread, SPREAD_MIN)
  const moved = clamped(distance, step)
  const weight = 1 / Math.min(samples, MEMORY_SAMPLES)
  return {
    ...now,
    samples,
    ratio: bounded(Math.exp(center + moved * weight)),
    spread: now.spread + (Math.abs(moved) - now.spread) * weight,
  }
}

/** Nothing is known about the spread yet, so it is taken to be as wide as the first margin. */
function firstSample(distance: number): Pick<Calibration, 'ratio' | 'spread'> {
  const moved = clamped(distance, OUTLIER_SPREADS * MARGIN_FIRST)
  return { ratio: Math.exp(moved), spread: moved === distance ? 0 : MARGIN_FIRST }
}

function clamped(value: number, max: number): number {
  return Math.min(max, Math.max(-max, value))
}

export interface CalibratedCount {
  /** What the provider will probably count. */
  readonly tokens: number
  /** What to keep free besides: the more reports and the closer together, the less. */
  readonly margin: number
}

/**
 * An estimate made right for its model. `tokens + margin` is the safe figure. A ratio above 1 holds at once; one below is
 * believed by degrees, as an estimate that was too high costs room and one that is too low costs the request.
 */
export function calibrated(calibration: Calibration | undefined, estimated: number): CalibratedCount {
  if (!(estimated > 0)) return { tokens: 0, margin: 0 }
  const known = sound(calibration)
  if (known === undefined || known.samples === 0) {
    return { tokens: Math.ceil(estimated), margin: Math.ceil(estimated * MARGIN_FIRST) }
  }
  const trust = known.samples / (known.samples + TRUST_SAMPLES)
  const ratio = known.ratio >= 1 ? known.ratio : 1 - (1 - known.ratio) * trust
  const doubt = Math.max(MARGIN_MIN, MARGIN_FIRST / Math.sqrt(known.samples + 1) + 2 * known.spread)
  const tokens = Math.ceil(estimated * ratio)
  return { tokens, margin: Math.ceil(tokens * Math.min(1, doubt)) }
}

function reasonToIgnore({ estimated, reported }: UsageSample): Ignored | undefined {
  if (!(estimated > 0 && reported > 0 && Number.isFinite(estimated) && Number.isFinite(reported))) return 'not-a-count'
  if (estimated < ESTIMATED_MIN) return 'too-small'
  const ratio = reported / estimated
  return ratio > RATIO_MAX || ratio < 1 / RATIO_MAX ? 'implausible' : undefined
}

/** A record that came out of a store damaged is as good as none. */
function sound(calibration: Calibration | undefined): Calibration | undefined {
  if (calibration === undefined) return undefined
  const { samples, ratio, spread } = calibration
  const whole = Number.isInteger(samples) && samples >= 0 && Number.isFinite(ratio) && Number.isFinite(spread)
  return whole && spread >= 0 && ratio >= 1 / RATIO_MAX && ratio <= RATIO_MAX ? calibration : undefined
}

function bounded(ratio: number): number {
  return Math.min(RATIO_MAX, Math.max(1 / RATIO_MAX, ratio))
}
