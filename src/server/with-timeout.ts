import { MemoryError } from '../domain/error.ts'

/** What the work says, if it says it in time. */
export async function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new MemoryError('server/unavailable', `Cannot answer: it took longer than ${ms} ms`, { ms }))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
