import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Fact } from '../../../domain/fact.ts'
import { addressOf } from '../../data/place.ts'
import { shownScope } from '../../data/scopes.ts'
import { useFactGraph } from '../../data/use-fact-graph.ts'
import type { FactGraph, GraphNode } from '../../graph/growing-graph.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { GraphCanvas } from './graph-canvas.tsx'

const FACTS_MAX = 10_000
const NODES_FIRST = 150
const NODES_MAX = 3_000
const LISTED = 100
const NOTHING: FactGraph = { nodes: [], edges: [] }

/** Who and what is joined by what is true now: those with most facts first, the others on request. */
export function GraphTab(): JSX.Element {
  const scope = shownScope.value ?? ''
  const { graph: known, more, failure } = useFactGraph(scope, FACTS_MAX)
  const [all, setAll] = useState(false)
  const [listed, setListed] = useState(false)
  const [chosen, setChosen] = useState<number | undefined>()
  const graph = useMemo(() => known?.largest(all ? NODES_MAX : NODES_FIRST) ?? NOTHING, [all, known])
  if (failure !== undefined && known === undefined)
    return (
      <div class="body">
        <Failed failure={failure} />
      </div>
    )
  if (known === undefined)
    return (
      <div class="body">
        <Skeleton />
      </div>
    )
  if (graph.nodes.length === 0)
    return (
      <div class="body">
        <Empty title="Nothing is known here yet.">
          <p>The graph shows who and what the facts are about, and which of them belong together.</p>
        </Empty>
      </div>
    )
  const node = chosen === undefined ? undefined : graph.nodes[chosen]
  const shown = node?.facts ?? graph.edges.map(([, , fact]) => fact)
  const names = Math.min(known.names, NODES_MAX)
  return (
    <div class="body stacked">
      <div class="row wrap">
        <p class="grow dim">
          {written.number(graph.nodes.length)} of {written.count(names, 'name')}, joined by{' '}
          {written.count(graph.edges.length, 'fact')} that {graph.edges.length === 1 ? 'is' : 'are'} true now.
          {more === true && ` Only the newest ${written.number(FACTS_MAX)} facts were read.`}
        </p>
        {names > NODES_FIRST && (
          <button
            type="button"
            class="btn is-small"
            aria-pressed={all}
            onClick={() => {
              setAll(!all)
              setChosen(undefined)
            }}
          >
            {all ? `Show the first ${NODES_FIRST}` : `Show all ${written.number(names)}`}
          </button>
        )}
        <button type="button" class="btn is-small" aria-pressed={listed} onClick={() => setListed(!listed)}>
          {listed ? 'As a graph' : 'As a list'}
        </button>
      </div>
      <div class={listed ? '' : 'with-side'}>
        {!listed && (
          <div class="sheet">
            <GraphCanvas graph={graph} chosen={chosen} onChoose={setChosen} />
          </div>
        )}
        <GraphFacts key={`${chosen} ${all}`} scope={scope} node={node} facts={shown} hint={!listed} />
      </div>
    </div>
  )
}

interface GraphFactsProps {
  readonly scope: string
  /** The chosen one. */
  readonly node: GraphNode | undefined
  readonly facts: readonly Fact[]
  readonly hint: boolean
}

/** The facts of the graph, or of the chosen name, as a list. */
function GraphFacts({ scope, node, facts, hint }: GraphFactsProps): JSX.Element {
  const [listed, setListed] = useState(LISTED)
  return (
    <section class="card" aria-live="polite">
      <h2>
        {node === undefined ? (
          'All facts of the graph'
        ) : (
          <a href={addressOf('/knowledge', { scope, subject: node.name })}>
            <PlainText text={node.name} />
          </a>
        )}
      </h2>
      {node === undefined && hint && <p class="dim">Choose a name in the graph to see its facts.</p>}
      <ul class="edges">
        {facts.slice(0, listed).map((fact) => (
          <li key={fact.id}>
            <a href={addressOf('/knowledge', { scope, subject: fact.subject, fact: fact.id })}>
              <PlainText text={fact.text.slice(0, 500)} />
            </a>
          </li>
        ))}
      </ul>
      {facts.length > listed && (
        <p class="dim">
          {written.number(listed)} of {written.number(facts.length)} shown.{' '}
          <button type="button" class="link" onClick={() => setListed(listed + LISTED)}>
            Show more
          </button>
        </p>
      )}
    </section>
  )
}
