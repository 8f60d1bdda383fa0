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

/** A graph that gets its facts page by page, so that no page takes long. */
export class GrowingGraph {
  readonly #named = new Map<string, { readonly name: string; readonly facts: Fact[] }>()
  readonly #ends: (readonly [from: string, to: string, fact: Fact])[] = []

  add(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.subject !== null)
        this.#ends.push([this.#node(fact.subject, fact), this.#node(objectName(fact), fact), fact])
  }

  get names(): number {
    return this.#named.size
  }

  /** The graph of those that are in most facts. */
  largest(nodesMax: number): FactGraph {
    const kept = [...this.#named].toSorted(([, a], [, b]) => b.facts.length - a.facts.length).slice(0, nodesMax)
    const places = new Map(kept.map(([key], index) => [key, index]))
    return {
      nodes: kept.map(([, node]) => node),
      edges: this.#ends.flatMap(([from, to, fact]) => {
        const [a, b] = [places.get(from), places.get(to)]
        return a === undefined || b === undefined || a === b ? [] : [[a, b, fact] as const]
      }),
    }
  }

  #node(name: string, fact: Fact): string {
    const key = name.toLowerCase()
    const node = this.#named.get(key)
    if (node === undefined) this.#named.set(key, { name, facts: [fact] })
    else node.facts.push(fact)
    return key
  }
}

/** What a fact says of its subject, in a few characters. */
function objectName({ object }: Fact): string {
  if (typeof object !== 'object') return String(object).slice(0, 80)
  if ('entity' in object) return object.entity
  return 'date' in object ? object.date.slice(0, 10) : JSON.stringify(object.json).slice(0, 80)
}
