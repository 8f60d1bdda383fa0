import type { FactGraph } from './fact-graph-of.ts'

interface CanvasEvents {
  readonly onChoose: (node: number | undefined) => void
  readonly onPin: (node: number, x: number, y: number) => void
}

const ROOM = 40
const NAMES_MAX = 60
const REACH = 14

/** Draws a graph on a canvas, one frame at most for each picture of the screen, and finds what the pointer is on. */
export class CanvasView {
  readonly #canvas: HTMLCanvasElement
  readonly #graph: FactGraph
  readonly #events: CanvasEvents
  readonly #ended = new AbortController()
  readonly #resized: ResizeObserver
  #positions = new Float32Array()
  #chosen: number | undefined
  #dragged: number | undefined
  /** Of the graph on the canvas: once it is still, it is not moved any more. */
  #frame = { scale: 1, x: 0, y: 0 }
  #fitted = false
  #waiting = false

  constructor(canvas: HTMLCanvasElement, graph: FactGraph, events: CanvasEvents) {
    this.#canvas = canvas
    this.#graph = graph
    this.#events = events
    const { signal } = this.#ended
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal })
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal })
    canvas.addEventListener('pointerup', () => this.#release(), { signal })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#soon(), { signal })
    this.#resized = new ResizeObserver(() => {
      this.#fitted = false
      this.#soon()
    })
    this.#resized.observe(canvas)
  }

  place(positions: Float32Array, still: boolean): void {
    this.#positions = positions as Float32Array<ArrayBuffer>
    if (!this.#fitted) this.#fit()
    this.#fitted ||= still
    this.#soon()
  }

  choose(node: number | undefined): void {
    this.#chosen = node
    this.#soon()
  }

  end(): void {
    this.#ended.abort()
    this.#resized.disconnect()
  }

  #soon(): void {
    if (this.#waiting) return
    this.#waiting = true
    requestAnimationFrame(() => {
      this.#waiting = false
      if (!this.#ended.signal.aborted) this.#draw()
    })
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#canvas
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
    for (let at = 0; at < this.#positions.length; at += 2) {
      const [x = 0, y = 0] = [this.#positions[at], this.#positions[at + 1]]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    const scale = Math.min(
      1.6,
      (clientWidth - 2 * ROOM) / Math.max(1, right - left),
      (clientHeight - 2 * ROOM) / Math.max(1, bottom - top),
    )
    this.#frame = {
      scale: Math.max(0.01, scale),
      x: clientWidth / 2 - ((left + right) / 2) * scale,
      y: clientHeight / 2 - ((top + bottom) / 2) * scale,
    }
  }

  #at(node: number): readonly [x: number, y: number] {
    const { scale, x, y } = this.#frame
    return [(this.#positions[node * 2] ?? 0) * scale + x, (this.#positions[node * 2 + 1] ?? 0) * scale + y]
  }

  #draw(): void {
    const { clientWidth, clientHeight } = this.#canvas
    const pixels = devicePixelRatio
    this.#canvas.width = clientWidth * pixels
    this.#canvas.height = clientHeight * pixels
    const pen = this.#canvas.getContext('2d')
    if (pen === null || this.#positions.length === 0) return
    if (!this.#fitted) this.#fit()
    const style = getComputedStyle(this.#canvas)
    const ink = (name: string): string => style.getPropertyValue(name)
    pen.scale(pixels, pixels)
    pen.lineWidth = 1
    pen.strokeStyle = ink('--rule-strong')
    pen.beginPath()
    for (const [from, to] of this.#graph.edges) this.#line(pen, from, to)
    pen.stroke()
    if (this.#chosen !== undefined) {
      pen.strokeStyle = ink('--accent')
      pen.beginPath()
      for (const [from, to] of this.#graph.edges)
        if (from === this.#chosen || to === this.#chosen) this.#line(pen, from, to)
      pen.stroke()
    }
    this.#nodes(pen, ink)
    this.#names(pen, ink, style.fontFamily)
  }

  #line(pen: CanvasRenderingContext2D, from: number, to: number): void {
    pen.moveTo(...this.#at(from))
    pen.lineTo(...this.#at(to))
  }

  #nodes(pen: CanvasRenderingContext2D, ink: (name: string) => string): void {
    pen.fillStyle = ink('--sent')
    pen.beginPath()
    for (const [index, { facts }] of this.#graph.nodes.entries()) {
      const [x, y] = this.#at(index)
      const radius = Math.min(9, 2.5 + Math.sqrt(facts.length))
      pen.moveTo(x + radius, y)
      pen.arc(x, y, radius, 0, 2 * Math.PI)
    }
    pen.fill()
    if (this.#chosen === undefined) return
    pen.fillStyle = ink('--accent')
    pen.beginPath()
    pen.arc(...this.#at(this.#chosen), 8, 0, 2 * Math.PI)
    pen.fill()
  }

  /** Of what most is known about, and of what is joined to the chosen one; where two would lie on each other, the first. */
  #names(pen: CanvasRenderingContext2D, ink: (name: string) => string, font: string): void {
    pen.font = `12px ${font}`
    pen.textAlign = 'center'
    pen.lineWidth = 3
    pen.strokeStyle = ink('--sheet')
    pen.fillStyle = ink('--ink')
    const near = this.#graph.edges
      .filter(([from, to]) => from === this.#chosen || to === this.#chosen)
      .flatMap(([from, to]) => [from, to])
    const first = [...new Set([...(this.#chosen === undefined ? [] : [this.#chosen]), ...near])]
    const taken: (readonly [x: number, y: number, width: number])[] = []
    for (const node of new Set([
      ...first,
      ...Array.from({ length: Math.min(NAMES_MAX, this.#graph.nodes.length) }, (_, at) => at),
    ])) {
      if (taken.length >= NAMES_MAX) return
      const [x, y] = this.#at(node)
      const text = shown(this.#graph.nodes[node]?.name ?? '')
      const width = pen.measureText(text).width
      if (
        taken.some(([otherX, otherY, other]) => Math.abs(otherY - y) < 15 && Math.abs(otherX - x) < (other + width) / 2)
      )
        continue
      taken.push([x, y, width])
      pen.strokeText(text, x, y - 10)
      pen.fillText(text, x, y - 10)
    }
  }

  #nodeAt({ offsetX, offsetY }: PointerEvent): number | undefined {
    let found: number | undefined
    let least = REACH
    for (let node = 0; node < this.#graph.nodes.length; node++) {
      const [x, y] = this.#at(node)
      const distance = Math.hypot(x - offsetX, y - offsetY)
      if (distance >= least) continue
      least = distance
      found = node
    }
    return found
  }

  #press(event: PointerEvent): void {
    const node = this.#nodeAt(event)
    this.#events.onChoose(node)
    if (node === undefined) return
    this.#dragged = node
    this.#canvas.setPointerCapture(event.pointerId)
  }

  #move(event: PointerEvent): void {
    if (this.#dragged === undefined) {
      this.#canvas.classList.toggle('is-over', this.#nodeAt(event) !== undefined)
      return
    }
    const { scale, x, y } = this.#frame
    // While somebody drags, the picture must not be fitted again under the pointer.
    this.#fitted = true
    this.#events.onPin(this.#dragged, (event.offsetX - x) / scale, (event.offsetY - y) / scale)
  }

  #release(): void {
    this.#dragged = undefined
  }
}

/** Names are stored text: what would hide or turn others around is left out. */
function shown(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u00B7')
  return plain.length > 24 ? `${plain.slice(0, 23)}…` : plain
}
