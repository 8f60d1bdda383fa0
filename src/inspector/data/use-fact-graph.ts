import { useEffect, useState } from 'preact/hooks'
import { GrowingGraph } from '../graph/growing-graph.ts'
import { factPages } from './fact-pages.ts'
import { RequestFailure, edition } from './request.ts'

/** The facts of a scope as a graph; `graph` is undefined until they were read. */
export interface FactGraphReading {
  readonly graph?: GrowingGraph
  /** There are more facts than were read. */
  readonly more?: boolean
  readonly failure?: RequestFailure
}

/** Reads what is true now in a scope, up to so many facts. */
export function useFactGraph(scope: string, factsMax: number): FactGraphReading {
  const [reading, setReading] = useState<FactGraphReading>({})
  const round = edition.value
  useEffect(() => {
    const ended = new AbortController()
    const read = async (): Promise<void> => {
      const graph = new GrowingGraph()
      let more = false
      for await (const page of factPages(scope, {}, { factsMax, signal: ended.signal })) {
        graph.add(page.facts)
        ;({ more } = page)
      }
      setReading({ graph, more })
    }
    read().catch((error: unknown) => {
      if (!ended.signal.aborted && error instanceof RequestFailure) setReading({ failure: error })
    })
    return () => ended.abort()
  }, [scope, factsMax, round])
  return reading
}
