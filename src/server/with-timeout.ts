import { MemoryError } from '../domain/error.ts'

/** The result of the work, if it comes in time. */
export function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  // Two of these are in each request: a race of promises would cost several times as much.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new MemoryError('server/unavailable', `Cannot finish the request: it took longer than ${ms} ms`, { ms }))
    }, ms)
    const settle =
      <Value>(how: (value: Value) => void) =>
      (value: Value): void => {
        clearTimeout(timer)
        how(value)
      }
    work.then(settle(resolve)).catch(settle(reject))
  })
}
