const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  readonly operation: string
  readonly statuses: Map<number, number>
  /** By the first bound that a request was within. */
  readonly buckets: number[]
  count: number
  seconds: number
}

/** Counts requests and times, and writes them as Prometheus reads them. Labels are names of ours, never of users. */
export class Metrics {
  readonly #series = new Map<string, Series>()

  observe(operation: string, status: number, ms: number): void {
    let series = this.#series.get(operation)
    if (series === undefined) {
      series = { operation, statuses: new Map(), buckets: BUCKETS_SECONDS.map(() => 0), count: 0, seconds: 0 }
      this.#series.set(operation, series)
    }
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
    series.count += 1
    series.seconds += ms / 1_000
    const first = BUCKETS_SECONDS.findIndex((bound) => ms / 1_000 <= bound)
    if (first >= 0) series.buckets[first] = (series.buckets[first] ?? 0) + 1
  }

  /** With gauges that others keep. */
  write(gauges: Readonly<Record<string, number>>): string {
    const lines = ['# TYPE daybook_http_requests_total counter']
    for (const { operation, statuses } of this.#series.values())
      for (const [status, count] of statuses)
        lines.push(`daybook_http_requests_total{operation="${operation}",status="${status}"} ${count}`)
    lines.push('# TYPE daybook_http_request_seconds histogram')
    for (const { operation, buckets, count, seconds } of this.#series.values()) {
      let within = 0
      for (const [index, bound] of BUCKETS_SECONDS.entries()) {
        within += buckets[index] ?? 0
        lines.push(`daybook_http_request_seconds_bucket{operation="${operation}",le="${bound}"} ${within}`)
      }
      lines.push(
        `daybook_http_request_seconds_bucket{operation="${operation}",le="+Inf"} ${count}`,
        `daybook_http_request_seconds_sum{operation="${operation}"} ${seconds}`,
        `daybook_http_request_seconds_count{operation="${operation}"} ${count}`,
      )
    }
    for (const [name, value] of Object.entries(gauges)) lines.push(`# TYPE ${name} gauge`, `${name} ${value}`)
    return `${lines.join('\n')}\n`
  }
}
