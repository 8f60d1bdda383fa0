import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PictureStyle } from '../../graph/graph-picture.ts'
import type { GraphOrder, GraphReply } from '../../graph/graph-worker.ts'
import type { FactGraph } from '../../graph/growing-graph.ts'
import { startGraph } from '../../graph/start-graph.ts'

interface GraphCanvasProps {
  readonly graph: FactGraph
  readonly chosen: number | undefined
  readonly onChoose: (node: number | undefined) => void
}

/** The graph as a picture. A worker lays it out and draws it; it settles and stays. A node that is dragged stays where it was put. */
export function GraphCanvas({ graph, chosen, onChoose }: GraphCanvasProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const send = useRef<(order: GraphOrder) => void>(() => undefined)
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    if (canvas.current === null) return undefined
    const drawing = openDrawing(canvas.current, (node) => choose.current(node))
    send.current = drawing.send
    return drawing.end
  }, [])
  useEffect(() => send.current({ type: 'graph', graph: drawnGraph(graph) }), [graph])
  useEffect(() => send.current({ type: 'choose', node: chosen }), [chosen, graph])
  return (
    <canvas
      ref={canvas}
      class="graph-canvas"
      role="img"
      aria-label={`${graph.nodes.length} names joined by ${graph.edges.length} facts. The list has the same facts.`}
    />
  )
}

/** Gives the canvas to a worker, and reports to it what the pointer does and how the page looks. */
function openDrawing(
  canvas: HTMLCanvasElement,
  onChoose: GraphCanvasProps['onChoose'],
): { readonly send: (order: GraphOrder) => void; readonly end: () => void } {
  const worker = startGraph()
  const ended = new AbortController()
  const { signal } = ended
  const send = (order: GraphOrder, transfer: Transferable[] = []): void => worker.postMessage(order, transfer)
  const offscreen = canvas.transferControlToOffscreen()
  send({ type: 'canvas', canvas: offscreen }, [offscreen])
  const restyle = (): void => send({ type: 'style', style: styleOf(canvas) })
  const resized = new ResizeObserver(restyle)
  resized.observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle, { signal })
  const themed = new MutationObserver(restyle)
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  for (const [event, type] of [
    ['pointerdown', 'press'],
    ['pointermove', 'move'],
    ['pointerup', 'release'],
  ] as const)
    canvas.addEventListener(
      event,
      ({ offsetX, offsetY, pointerId }) => {
        if (type === 'press') canvas.setPointerCapture(pointerId)
        send({ type, x: offsetX, y: offsetY })
      },
      { signal },
    )
  worker.addEventListener('message', ({ data }: MessageEvent<GraphReply>) => {
    if (data.type === 'chosen') onChoose(data.node)
    else canvas.classList.toggle('is-over', data.isOver)
  })
  return {
    send,
    end: () => {
      ended.abort()
      resized.disconnect()
      themed.disconnect()
      worker.terminate()
    },
  }
}

function styleOf(canvas: HTMLCanvasElement): PictureStyle {
  const style = getComputedStyle(canvas)
  const ink = (name: string): string => style.getPropertyValue(name)
  return {
    width: canvas.clientWidth,
    height: canvas.clientHeight,
    pixels: devicePixelRatio,
    font: style.fontFamily,
    edge: ink('--rule-strong'),
    node: ink('--sent'),
    chosen: ink('--accent'),
    ink: ink('--ink'),
    ground: ink('--sheet'),
  }
}

function drawnGraph({ nodes, edges }: FactGraph): Extract<GraphOrder, { readonly type: 'graph' }>['graph'] {
  const pairs = new Uint32Array(edges.length * 2)
  for (const [index, [from, to]] of edges.entries()) {
    pairs[index * 2] = from
    pairs[index * 2 + 1] = to
  }
  return {
    names: nodes.map(({ name }) => shown(name)),
    radii: Float32Array.from(nodes, ({ facts }) => Math.min(9, 2.5 + Math.sqrt(facts.length))),
    edges: pairs,
  }
}

/** Names are stored text: what would hide or turn others around is shown as a dot. */
function shown(name: string): string {
  const plain = name.slice(0, 80).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u00B7')
  return plain.length > 24 ? `${plain.slice(0, 23)}…` : plain
}
