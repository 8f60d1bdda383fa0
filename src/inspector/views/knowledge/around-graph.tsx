import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Graph } from '../../../api/graph.ts'
import type { Fact } from '../../../domain/fact.ts'
import { endpoints } from '../../data/endpoints.ts'
import { addressOf } from '../../data/place.ts'
import { useReading } from '../../data/use-reading.ts'
import { PlainText } from '../../parts/plain-text.tsx'

const WIDTH = 332
const HEIGHT = 250
const SHOWN_MAX = 12

/** What is one relation away from an entity. The same relations are a list, one key away. */
export function AroundGraph({
  scope,
  subject,
}: {
  readonly scope: string
  readonly subject: string
}): JSX.Element | null {
  const { data } = useReading<Graph>(endpoints.scope(scope, 'graph'), {
    body: { around: subject, depth: 1, limit: 60 },
  })
  const [listed, setListed] = useState(false)
  const facts = (data?.facts ?? []).slice(0, SHOWN_MAX)
  if (facts.length === 0) return null
  return (
    <section class="card">
      <h2>
        <span class="grow">
          Around <PlainText text={subject} />
        </span>
        <button type="button" class="btn is-quiet is-small" aria-pressed={listed} onClick={() => setListed(!listed)}>
          {listed ? 'As a graph' : 'As a list'}
        </button>
      </h2>
      {listed ? (
        <ul class="edges">
          {facts.map((fact) => (
            <li key={fact.id}>
              <a href={addressOf('/knowledge', { scope, subject: fact.subject, fact: fact.id })}>
                <PlainText text={fact.text} />
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <Star facts={facts} subject={subject} />
      )}
    </section>
  )
}

/** The other end of a relation. */
function otherEnd({ subject, object }: Fact, center: string): string {
  if (subject !== null && subject.toLowerCase() !== center.toLowerCase()) return subject
  if (typeof object !== 'object') return String(object)
  return 'entity' in object ? object.entity : 'date' in object ? object.date.slice(0, 10) : JSON.stringify(object.json)
}

function Star({ facts, subject }: { readonly facts: readonly Fact[]; readonly subject: string }): JSX.Element {
  const center = { x: WIDTH / 2, y: HEIGHT / 2 }
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${facts.length} relations of ${subject}`}
    >
      {facts.map((fact, index) => {
        const angle = (index / facts.length) * 2 * Math.PI - Math.PI / 2
        const x = center.x + Math.cos(angle) * 118
        const y = center.y + Math.sin(angle) * 92
        const name = otherEnd(fact, subject)
        return (
          <g key={fact.id}>
            <path class={`edge is-${fact.state}`} d={`M${center.x} ${center.y}L${x} ${y}`} />
            <text class="edge-name" x={(center.x + x) / 2} y={(center.y + y) / 2 - 2} text-anchor="middle">
              {short(fact.predicate.replaceAll('_', ' '))}
            </text>
            <circle class="node" cx={x} cy={y} r="6" />
            <text class="node-name" x={x} y={y + (y < center.y ? -11 : 20)} text-anchor="middle">
              {short(name)}
            </text>
          </g>
        )
      })}
      <circle class="node is-center" cx={center.x} cy={center.y} r="10" />
      <text class="node-name" x={center.x} y={center.y - 16} text-anchor="middle">
        {short(subject)}
      </text>
    </svg>
  )
}

function short(text: string): string {
  return text.length > 16 ? `${text.slice(0, 15)}…` : text
}
