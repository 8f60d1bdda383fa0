import type { Fact } from '../../domain/fact.ts'

/** A person, a thing or a value that facts are about. */
export interface GraphNode {
  readonly name: string
  /** Facts that it is in. */
  readonly facts: readonly Fact[]
}

/** What facts join. Nodes come in the order of how many facts they are in. */
export interface FactGraph {
  readonly nodes: readonly GraphNode[]
  /** Pairs of indexes of nodes. */
  readonly edges: readonly (readonly [from: number, to: number, fact: Fact])[]
}

/** The graph of some facts, with at most so many nodes. */
export function factGraphOf(facts: readonly Fact[], nodesMax: number): FactGraph {
  const named = new Map<string, { readonly name: string; readonly facts: Fact[] }>()
  const ends: (readonly [string, string, Fact])[] = []
  const add = (name: string, fact: Fact): string => {
    const key = name.toLowerCase()
    const node = named.get(key)
    if (node === undefined) named.set(key, { name, facts: [fact] })
    else node.facts.push(fact)
    return key
  }
  for (const fact of facts)
    if (fact.subject !== null) ends.push([add(fact.subject, fact), add(objectName(fact), fact), fact])
  const kept = [...named].toSorted(([, a], [, b]) => b.facts.length - a.facts.length).slice(0, nodesMax)
  const places = new Map(kept.map(([key], index) => [key, index]))
  return {
    nodes: kept.map(([, node]) => node),
    edges: ends.flatMap(([from, to, fact]) => {
      const [a, b] = [places.get(from), places.get(to)]
      return a === undefined || b === undefined || a === b ? [] : [[a, b, fact] as const]
    }),
  }
}

/** What a fact says of its subject, in a few characters. */
function objectName({ object }: Fact): string {
  if (typeof object !== 'object') return String(object).slice(0, 80)
  if ('entity' in object) return object.entity
  return 'date' in object ? object.date.slice(0, 10) : JSON.stringify(object.json).slice(0, 80)
}
