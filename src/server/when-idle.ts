const LOOK_MS = 50
const BUSY_SHARE = 0.7

/** Calls a function again and again while the event loop has time to spare, until what is returned is called. */
export function whenIdle(call: () => void): () => void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization < BUSY_SHARE) call()
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
