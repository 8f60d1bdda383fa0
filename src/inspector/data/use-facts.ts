import { useEffect, useState } from 'preact/hooks'
import type { Fact } from '../../domain/fact.ts'
import { readFacts } from './read-facts.ts'
import { RequestFailure, edition } from './request.ts'

/** Facts that were read; `facts` is undefined until then. */
export interface FactsReading {
  readonly facts?: readonly Fact[]
  readonly more?: boolean
  readonly failure?: RequestFailure
}

/** Reads up to so many facts; `null` reads nothing. */
export function useFacts(
  scope: string,
  fields: Readonly<Record<string, unknown>> | null,
  factsMax: number,
): FactsReading {
  const [reading, setReading] = useState<FactsReading>({})
  const question = fields === null ? null : JSON.stringify(fields)
  const round = edition.value
  useEffect(() => {
    if (fields === null) return undefined
    const ended = new AbortController()
    readFacts(scope, fields, { factsMax, signal: ended.signal })
      .then(setReading)
      .catch((error: unknown) => {
        if (!ended.signal.aborted && error instanceof RequestFailure) setReading({ failure: error })
      })
    return () => ended.abort()
    // The question has the fields.
  }, [scope, question, factsMax, round])
  return reading
}
