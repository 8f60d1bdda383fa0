/** A graph to lay out: how many nodes, and which of them are joined, as pairs of indexes. */
export interface LayoutGraph {
  readonly nodes: number
  readonly edges: Uint32Array
}

const REPULSION = 900
const DISTANCE = 42
const GRAVITY = 0.03
const FRICTION = 0.6
/** A group of nodes that is seen under a smaller angle than this counts as one node in its middle. */
const ANGLE = 0.9
const COOLING = 0.985
const COLD = 0.005

/** Nodes repel each other, edges pull them together; a little less with each step, until all stay where they are. */
export class ForceLayout {
  /** x and y of each node. */
  readonly positions: Float32Array
  readonly #speeds: Float32Array
  readonly #edges: Uint32Array
  readonly #degrees: Uint16Array
  readonly #pinned = new Map<number, readonly [x: number, y: number]>()
  #heat = 1

  constructor({ nodes, edges }: LayoutGraph) {
    this.positions = new Float32Array(nodes * 2)
    this.#speeds = new Float32Array(nodes * 2)
    this.#edges = edges
    this.#degrees = new Uint16Array(nodes)
    for (const node of edges) this.#degrees[node] = (this.#degrees[node] ?? 0) + 1
    // On a spiral, so that the same graph always looks the same.
    for (let node = 0; node < nodes; node++) {
      const radius = 12 * Math.sqrt(node + 0.5)
      const angle = node * 2.399963
      this.positions[node * 2] = Math.cos(angle) * radius
      this.positions[node * 2 + 1] = Math.sin(angle) * radius
    }
  }

  get isStill(): boolean {
    return this.#heat < COLD
  }

  /** Keeps a node in a place; the others move around it. */
  pin(node: number, x: number, y: number): void {
    this.#pinned.set(node, [x, y])
    this.#heat = Math.max(this.#heat, 0.3)
  }

  step(): void {
    this.#repel()
    this.#pull()
    const { positions } = this
    const speeds = this.#speeds
    for (let at = 0; at < positions.length; at++) {
      speeds[at] = ((speeds[at] ?? 0) - (positions[at] ?? 0) * GRAVITY * this.#heat) * FRICTION
      positions[at] = (positions[at] ?? 0) + (speeds[at] ?? 0)
    }
    for (const [node, [x, y]] of this.#pinned) {
      positions[node * 2] = x
      positions[node * 2 + 1] = y
    }
    this.#heat *= COOLING
  }

  #pull(): void {
    const { positions } = this
    const speeds = this.#speeds
    for (let edge = 0; edge < this.#edges.length; edge += 2) {
      const [a = 0, b = 0] = [this.#edges[edge], this.#edges[edge + 1]]
      const dx = (positions[b * 2] ?? 0) - (positions[a * 2] ?? 0)
      const dy = (positions[b * 2 + 1] ?? 0) - (positions[a * 2 + 1] ?? 0)
      const length = Math.hypot(dx, dy) || 1
      const [degreeA = 1, degreeB = 1] = [this.#degrees[a], this.#degrees[b]]
      const force = (((length - DISTANCE) / length) * this.#heat) / Math.max(1, Math.min(degreeA, degreeB))
      // The end with fewer edges moves more.
      const share = degreeA / (degreeA + degreeB)
      speeds[a * 2] = (speeds[a * 2] ?? 0) + dx * force * (1 - share)
      speeds[a * 2 + 1] = (speeds[a * 2 + 1] ?? 0) + dy * force * (1 - share)
      speeds[b * 2] = (speeds[b * 2] ?? 0) - dx * force * share
      speeds[b * 2 + 1] = (speeds[b * 2 + 1] ?? 0) - dy * force * share
    }
  }

  #repel(): void {
    const root = new Square(this.positions)
    const speeds = this.#speeds
    for (let node = 0; node * 2 < this.positions.length; node++) {
      const [fx, fy] = root.forceOn(node)
      speeds[node * 2] = (speeds[node * 2] ?? 0) + fx * this.#heat
      speeds[node * 2 + 1] = (speeds[node * 2 + 1] ?? 0) + fy * this.#heat
    }
  }
}

const DEPTH_MAX = 24

interface Cell {
  readonly size: number
  count: number
  /** The sum of all places in it. */
  x: number
  y: number
  /** The only node of a cell without parts. */
  node: number
  parts: (Cell | undefined)[] | undefined
}

/** All nodes in a tree of squares: what is far away counts as one, so that a step takes n log n. */
class Square {
  readonly #positions: Float32Array
  readonly #root: Cell

  constructor(positions: Float32Array) {
    this.#positions = positions
    let least = 0
    let most = 0
    for (const value of positions) {
      if (value < least) least = value
      if (value > most) most = value
    }
    const size = most - least + 1
    this.#root = cell(size)
    for (let node = 0; node * 2 < positions.length; node++) this.#add(node, least, size)
  }

  #add(node: number, least: number, size: number): void {
    const [x = 0, y = 0] = [this.#positions[node * 2], this.#positions[node * 2 + 1]]
    let here = this.#root
    let [left, top, side] = [least, least, size]
    for (let depth = 0; depth < DEPTH_MAX; depth++) {
      here.count++
      here.x += x
      here.y += y
      if (here.count === 1) {
        here.node = node
        return
      }
      // The one that was here alone goes one deeper as well.
      if (here.parts === undefined) {
        here.parts = []
        const [oldX = 0, oldY = 0] = [this.#positions[here.node * 2], this.#positions[here.node * 2 + 1]]
        const part = cell(side / 2)
        part.count = 1
        part.x = oldX
        part.y = oldY
        part.node = here.node
        here.parts[quarter(oldX, oldY, left + side / 2, top + side / 2)] = part
      }
      side /= 2
      const index = quarter(x, y, left + side, top + side)
      if (index % 2 === 1) left += side
      if (index >= 2) top += side
      here = here.parts[index] ??= cell(side)
    }
    here.count++
    here.x += x
    here.y += y
  }

  forceOn(node: number): readonly [x: number, y: number] {
    const [x = 0, y = 0] = [this.#positions[node * 2], this.#positions[node * 2 + 1]]
    let [forceX, forceY] = [0, 0]
    const stack = [this.#root]
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      if (here.count === 0) continue
      const dx = x - here.x / here.count
      const dy = y - here.y / here.count
      const square = dx * dx + dy * dy
      if (here.parts !== undefined && here.size * here.size > ANGLE * ANGLE * square) {
        for (const part of here.parts) if (part !== undefined) stack.push(part)
        continue
      }
      if (here.parts === undefined && here.node === node) continue
      // Two in one place are parted, always in the same direction.
      const apart = square < 1 ? 1 : square
      const force = (REPULSION * here.count) / apart / Math.sqrt(apart)
      forceX += (square === 0 ? ((node % 7) - 3) / 3 : dx) * Math.min(force, 1)
      forceY += (square === 0 ? ((node % 5) - 2) / 2 : dy) * Math.min(force, 1)
    }
    return [forceX, forceY]
  }
}

function cell(size: number): Cell {
  return { size, count: 0, x: 0, y: 0, node: -1, parts: undefined }
}

function quarter(x: number, y: number, middleX: number, middleY: number): number {
  return (x >= middleX ? 1 : 0) + (y >= middleY ? 2 : 0)
}
