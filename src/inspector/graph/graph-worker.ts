import { ForceLayout } from './force-layout.ts'
import { type DrawnGraph, GraphPicture, type PictureStyle } from './graph-picture.ts'

/** What the page sends. Places are in pixels of the canvas. */
export type GraphOrder =
  | { readonly type: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly type: 'graph'; readonly graph: DrawnGraph }
  | { readonly type: 'style'; readonly style: PictureStyle }
  | { readonly type: 'choose'; readonly node: number | undefined }
  | { readonly type: 'press' | 'move' | 'release'; readonly x: number; readonly y: number }

/** What the pointer did: a node was pressed, or the pointer is on one. */
export type GraphReply =
  | { readonly type: 'chosen'; readonly node: number | undefined }
  | { readonly type: 'over'; readonly isOver: boolean }

/** Steps of the layout between two pictures. */
const FRAME_MS = 12

const page = self as unknown as {
  postMessage(reply: GraphReply, transfer: readonly Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<GraphOrder>) => void): void
  requestAnimationFrame(callback: () => void): void
}
let picture: GraphPicture | undefined
let layout: ForceLayout | undefined
let dragged: number | undefined
let isWaiting = false

page.addEventListener('message', ({ data }) => {
  obey(data)
  drawSoon()
})

function obey(order: GraphOrder): void {
  if (order.type === 'canvas') picture = new GraphPicture(order.canvas)
  else if (order.type === 'style') picture?.restyle(order.style)
  else if (order.type === 'choose') picture?.choose(order.node)
  else if (order.type === 'graph') {
    layout = new ForceLayout({ nodes: order.graph.names.length, edges: order.graph.edges })
    picture?.show(order.graph, layout.positions)
  } else followPointer(order)
}

function followPointer({ type, x, y }: Extract<GraphOrder, { readonly x: number }>): void {
  if (type === 'release') dragged = undefined
  else if (type === 'press') {
    dragged = picture?.nodeAt(x, y)
    page.postMessage({ type: 'chosen', node: dragged }, [])
  } else if (dragged === undefined) page.postMessage({ type: 'over', isOver: picture?.nodeAt(x, y) !== undefined }, [])
  else if (picture !== undefined) {
    // The picture must not be fitted again under the pointer.
    picture.keepFrame()
    layout?.pin(dragged, ...picture.placeAt(x, y))
  }
}

function drawSoon(): void {
  if (isWaiting) return
  isWaiting = true
  page.requestAnimationFrame(() => {
    isWaiting = false
    const until = performance.now() + FRAME_MS
    while (layout !== undefined && !layout.isStill && performance.now() < until) layout.step()
    picture?.draw()
    if (layout === undefined) return
    if (layout.isStill) picture?.keepFrame()
    else drawSoon()
  })
}
