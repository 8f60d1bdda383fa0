import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { FactGraph } from '../../graph/fact-graph-of.ts'
import type { LayoutOrder, LayoutStep } from '../../graph/layout-worker.ts'
import { startLayout } from '../../graph/start-layout.ts'
import { CanvasView } from '../../graph/canvas-view.ts'

interface GraphCanvasProps {
  readonly graph: FactGraph
  readonly chosen: number | undefined
  readonly onChoose: (node: number | undefined) => void
}

/** The graph as a picture. It is laid out in a worker, settles and stays; a node that is dragged stays where it was put. */
export function GraphCanvas({ graph, chosen, onChoose }: GraphCanvasProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<CanvasView | undefined>(undefined)
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    if (canvas.current === null) return undefined
    const worker = startLayout()
    const send = (order: LayoutOrder): void => worker.postMessage(order, [])
    const shown = new CanvasView(canvas.current, graph, {
      onChoose: (node) => choose.current(node),
      onPin: (node, x, y) => send({ type: 'pin', node, x, y }),
    })
    view.current = shown
    worker.addEventListener('message', ({ data }: MessageEvent<LayoutStep>) => shown.place(data.positions, data.still))
    send({
      type: 'graph',
      nodes: graph.nodes.length,
      edges: Uint32Array.from(graph.edges.flatMap(([from, to]) => [from, to])),
    })
    return () => {
      worker.terminate()
      shown.end()
    }
  }, [graph])
  useEffect(() => view.current?.choose(chosen), [chosen, graph])
  return (
    <canvas
      ref={canvas}
      class="graph-canvas"
      role="img"
      aria-label={`${graph.nodes.length} names joined by ${graph.edges.length} facts. The list has the same facts.`}
    />
  )
}
