import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { TranscriptPath } from '../dialects/violation.ts'

/** A value with the way to it. */
export interface Node {
  readonly value: JSONValue
  readonly key: string | number
  readonly parent: Node | undefined
}

export function pathOf(node: Node): TranscriptPath {
  const path: (string | number)[] = []
  for (let at: Node = node; at.parent !== undefined; at = at.parent) path.push(at.key)
  return path.toReversed()
}

/** Every text in a value, in order. Without recursion: how deep a value is, its writer decided. */
export function* textNodesOf(value: JSONValue): Generator<Node & { readonly value: string }> {
  const waiting: Node[] = [{ value, key: '', parent: undefined }]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node.value === 'string') yield node as Node & { readonly value: string }
    else if (typeof node.value === 'object' && node.value !== null) pushChildren(node, waiting)
  }
}

function pushChildren(node: Node, waiting: Node[]): void {
  if (Array.isArray(node.value)) {
    for (let index = node.value.length - 1; index >= 0; index--)
      waiting.push({ value: node.value[index] as JSONValue, key: index, parent: node })
    return
  }
  for (const [key, child] of Object.entries(node.value as JSONObject).toReversed())
    waiting.push({ value: child, key, parent: node })
}

/** Whether a value is nested deeper than a number of levels. */
export function isDeeper(value: JSONValue, levels: number): boolean {
  let level: readonly JSONValue[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as JSONValue[]) : [],
    )
  }
  return false
}

export function valueAt(value: JSONValue, path: TranscriptPath): JSONValue | undefined {
  let at: JSONValue | undefined = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Readonly<Record<string | number, JSONValue>>)[key]
  }
  return at
}

/** Puts a value in a place, or without one takes out what is there. */
export interface Edit {
  readonly path: TranscriptPath
  readonly value?: JSONValue
}

interface Branch {
  edit?: Edit
  readonly below: Map<string, Branch>
}

/** A copy with all edits done at once, so that none moves the place of another. What is untouched keeps its identity. */
export function applyEdits(value: JSONValue, edits: readonly Edit[]): JSONValue {
  if (edits.length === 0) return value
  const root: Branch = { below: new Map() }
  for (const edit of edits) {
    let branch = root
    for (const key of edit.path) {
      const next = branch.below.get(String(key)) ?? { below: new Map() }
      branch.below.set(String(key), next)
      branch = next
    }
    branch.edit = edit
  }
  return edited(value, root) ?? null
}

function edited(value: JSONValue, { edit, below }: Branch): JSONValue | undefined {
  if (edit !== undefined) return edit.value
  if (typeof value !== 'object' || value === null || below.size === 0) return value
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const branch = below.get(String(index))
      const next = branch === undefined ? item : edited(item, branch)
      return next === undefined ? [] : [next]
    })
  }
  // From entries, so that a key "__proto__" stays a key.
  return Object.fromEntries(
    Object.entries(value as JSONObject).flatMap(([key, item]) => {
      const branch = below.get(key)
      const next = branch === undefined ? item : edited(item, branch)
      return next === undefined ? [] : [[key, next] as const]
    }),
  )
}
