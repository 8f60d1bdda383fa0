/** Four times four: what is linear takes 16 times as long, what is quadratic 256 times. */
const STEP = 16
const RATIO_MAX = 80
/** Shorter times are repeated until they are as long: a clock has its grain. */
const MEASURED_MICROSECONDS = 150
const ATTEMPTS = 6
/** Nothing that disturbs a measurement takes this long. */
const CERTAIN_MICROSECONDS = 500_000

/**
 * How many times longer it takes for a text that is 16 times as long, where that is far more than 16 times. Times are compared
 * with each other and never with a clock on the wall; the best of several attempts counts, since a busy machine only adds.
 */
export function superlinear(
  run: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): number {
  const [short, long] = [textOf(length), textOf(length * STEP)]
  run(short)
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    least = Math.min(least, timeOf(run, short))
    most = Math.min(most, timeOf(run, long))
    // The shortest time of the short text can only make the ratio larger, and that of the long one only smaller.
    if (most / least <= RATIO_MAX) return 0
    if (most > CERTAIN_MICROSECONDS) break
  }
  return most / least
}

/** The time of this process: what other programs take is not counted. */
function timeOf(run: (text: string) => unknown, text: string): number {
  const started = spent()
  let times = 0
  do {
    run(text)
    times += 1
  } while (spent() - started < MEASURED_MICROSECONDS)
  return (spent() - started) / times
}

function spent(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
