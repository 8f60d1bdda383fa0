import { ForceLayout, type LayoutGraph } from './force-layout.ts'

/** What the page sends: a graph to lay out, or a node that was dragged. */
export type LayoutOrder =
  | (LayoutGraph & { readonly type: 'graph' })
  | { readonly type: 'pin'; readonly node: number; readonly x: number; readonly y: number }

/** Where the nodes are after some steps. */
export interface LayoutStep {
  readonly positions: Float32Array
  readonly still: boolean
}

/** The page draws at most once in this time, so more often says nothing new. */
const FRAME_MS = 16

const page = self as unknown as {
  postMessage(step: LayoutStep, transfer: readonly Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<LayoutOrder>) => void): void
}
let layout: ForceLayout | undefined
let running = false

page.addEventListener('message', ({ data }) => {
  if (data.type === 'graph') layout = new ForceLayout(data)
  else layout?.pin(data.node, data.x, data.y)
  if (!running) run()
})

function run(): void {
  running = true
  const until = performance.now() + FRAME_MS
  while (layout !== undefined && !layout.isStill && performance.now() < until) layout.step()
  running = layout !== undefined && !layout.isStill
  if (layout === undefined) return
  const positions = layout.positions.slice()
  page.postMessage({ positions, still: layout.isStill }, [positions.buffer])
  if (running) setTimeout(run)
}
