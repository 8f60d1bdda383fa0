import type { KnownFact } from './known-fact.ts'
import { asClaimed } from './place-fact.ts'

/** The fact without the endings that a source had said. What is left of its time is as claimed before them. */
export function reopenFact(fact: KnownFact, source: string): KnownFact {
  const { endings = [], ...body } = fact.body
  if (!endings.some(({ sources }) => sources.includes(source))) return fact
  const left: (typeof endings)[number][] = []
  let before: (typeof body)['claim'] | undefined
  for (const ending of endings) {
    const { claim } = before === undefined ? ending : { claim: before }
    if (ending.sources.includes(source)) before = claim
    else {
      left.push({ ...ending, claim })
      before = undefined
    }
  }
  const claim = before ?? body.claim
  return asClaimed({ ...fact, body: { ...body, claim, ...(left.length === 0 ? {} : { endings: left }) } })
}
