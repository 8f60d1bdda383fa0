/** What is drawn: names in the order of how much is known about them, and which of them are joined. */
export interface DrawnGraph {
  readonly names: readonly string[]
  /** How large each node is drawn, in pixels. */
  readonly radii: Float32Array
  /** Pairs of indexes of nodes. */
  readonly edges: Uint32Array
}

/** The size of the canvas, and the colours of the page's theme. */
export interface PictureStyle {
  readonly width: number
  readonly height: number
  /** Pixels of the screen for each of the page. */
  readonly pixels: number
  readonly font: string
  readonly edge: string
  readonly node: string
  readonly chosen: string
  readonly ink: string
  readonly ground: string
}

const ROOM = 40
const NAMES_MAX = 60
const REACH = 14
/** A graph of few names fills the picture only so far. */
const SCALE_MAX = 4

/** Draws a graph, and finds the node at a place. It has no page: a worker uses it, so that drawing holds up nothing else. */
export class GraphPicture {
  readonly #canvas: OffscreenCanvas
  #graph: DrawnGraph = { names: [], radii: new Float32Array(), edges: new Uint32Array() }
  #positions: Float32Array = new Float32Array()
  #style: PictureStyle | undefined
  #chosen: number | undefined
  /** Of the graph on the canvas: once it is still, it no longer moves. */
  #frame = { scale: 1, x: 0, y: 0 }
  #fitted = false

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
  }

  /** Another graph, at positions that its layout changes. */
  show(graph: DrawnGraph, positions: Float32Array): void {
    this.#graph = graph
    this.#positions = positions
    this.#chosen = undefined
    this.#fitted = false
  }

  restyle(style: PictureStyle): void {
    if (style.width !== this.#style?.width || style.height !== this.#style.height) this.#fitted = false
    this.#style = style
    this.#canvas.width = Math.round(style.width * style.pixels)
    this.#canvas.height = Math.round(style.height * style.pixels)
  }

  choose(node: number | undefined): void {
    this.#chosen = node
  }

  /** From now on the picture stays where it is: the layout is still, or somebody drags a node. */
  keepFrame(): void {
    if (!this.#fitted && this.#style !== undefined) this.#fit(this.#style)
    this.#fitted = true
  }

  /** The place in the layout that is at a place of the canvas. */
  placeAt(x: number, y: number): readonly [x: number, y: number] {
    const { scale, x: left, y: top } = this.#frame
    return [(x - left) / scale, (y - top) / scale]
  }

  nodeAt(x: number, y: number): number | undefined {
    let found: number | undefined
    let least = REACH
    for (let node = 0; node < this.#graph.names.length; node++) {
      const distance = Math.hypot(this.#x(node) - x, this.#y(node) - y)
      if (distance >= least) continue
      least = distance
      found = node
    }
    return found
  }

  draw(): void {
    const style = this.#style
    const pen = this.#canvas.getContext('2d')
    if (pen === null || style === undefined || this.#positions.length === 0) return
    if (!this.#fitted) this.#fit(style)
    pen.setTransform(style.pixels, 0, 0, style.pixels, 0, 0)
    pen.clearRect(0, 0, style.width, style.height)
    pen.lineWidth = 1
    this.#edges(pen, style)
    this.#nodes(pen, style)
    this.#names(pen, style)
  }

  #fit({ width, height }: PictureStyle): void {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
    for (let at = 0; at < this.#positions.length; at += 2) {
      const [x = 0, y = 0] = [this.#positions[at], this.#positions[at + 1]]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    const scale = Math.max(
      0.01,
      Math.min(
        SCALE_MAX,
        (width - 2 * ROOM) / Math.max(1, right - left),
        (height - 2 * ROOM) / Math.max(1, bottom - top),
      ),
    )
    this.#frame = { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale }
  }

  #x(node: number): number {
    return (this.#positions[node * 2] ?? 0) * this.#frame.scale + this.#frame.x
  }

  #y(node: number): number {
    return (this.#positions[node * 2 + 1] ?? 0) * this.#frame.scale + this.#frame.y
  }

  #edges(pen: OffscreenCanvasRenderingContext2D, { edge, chosen }: PictureStyle): void {
    const { edges } = this.#graph
    const line = (at: number): void => {
      const [from = 0, to = 0] = [edges[at], edges[at + 1]]
      pen.moveTo(this.#x(from), this.#y(from))
      pen.lineTo(this.#x(to), this.#y(to))
    }
    pen.strokeStyle = edge
    pen.beginPath()
    for (let at = 0; at < edges.length; at += 2) line(at)
    pen.stroke()
    if (this.#chosen === undefined) return
    pen.strokeStyle = chosen
    pen.beginPath()
    for (let at = 0; at < edges.length; at += 2)
      if (edges[at] === this.#chosen || edges[at + 1] === this.#chosen) line(at)
    pen.stroke()
  }

  #nodes(pen: OffscreenCanvasRenderingContext2D, { node: colour, chosen }: PictureStyle): void {
    pen.fillStyle = colour
    pen.beginPath()
    for (const [node, radius] of this.#graph.radii.entries()) {
      const [x, y] = [this.#x(node), this.#y(node)]
      pen.moveTo(x + radius, y)
      pen.arc(x, y, radius, 0, 2 * Math.PI)
    }
    pen.fill()
    if (this.#chosen === undefined) return
    pen.fillStyle = chosen
    pen.beginPath()
    pen.arc(this.#x(this.#chosen), this.#y(this.#chosen), 8, 0, 2 * Math.PI)
    pen.fill()
  }

  /** Of what most is known about, and of what is joined to the chosen one; where two would lie on each other, the first. */
  #names(pen: OffscreenCanvasRenderingContext2D, { font, ground, ink }: PictureStyle): void {
    const { names, edges } = this.#graph
    pen.font = `12px ${font}`
    pen.textAlign = 'center'
    pen.lineWidth = 3
    pen.strokeStyle = ground
    pen.fillStyle = ink
    const first = new Set<number>(this.#chosen === undefined ? [] : [this.#chosen])
    for (let at = 0; at < edges.length; at += 2)
      if (edges[at] === this.#chosen || edges[at + 1] === this.#chosen)
        first.add(edges[at] ?? 0).add(edges[at + 1] ?? 0)
    for (let node = 0; node < Math.min(NAMES_MAX, names.length); node++) first.add(node)
    const taken: (readonly [x: number, y: number, width: number])[] = []
    for (const node of first) {
      if (taken.length >= NAMES_MAX) return
      const [x, y, text] = [this.#x(node), this.#y(node), names[node] ?? '']
      const { width } = pen.measureText(text)
      if (
        taken.some(([otherX, otherY, other]) => Math.abs(otherY - y) < 15 && Math.abs(otherX - x) < (other + width) / 2)
      )
        continue
      taken.push([x, y, width])
      pen.strokeText(text, x, y - 10)
      pen.fillText(text, x, y - 10)
    }
  }
}
