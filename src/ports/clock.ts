/** The time, injected so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. May stand still or step back: order never depends on it. */
  now(): number
}
