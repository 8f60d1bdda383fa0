import { Turns } from './turns.ts'

/** Work that may take long. It yields wherever others may run in between. */
export type Pausing<Result> = Generator<void, Result>

/** Does all of it. While it takes long, others run in between. */
export async function withPauses<Result>(work: Pausing<Result>): Promise<Result> {
  const turns = new Turns()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (turns.isOver) await turns.take()
  }
}

/** Does all of it at once. */
export function atOnce<Result>(work: Pausing<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
