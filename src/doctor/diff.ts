import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { TranscriptPath } from '../dialects/violation.ts'
import type { PatchOperation } from './finding.ts'
import { pointerOf } from './pointer.ts'

/** The steps of RFC 6902 from one value to another: lists are aligned, so that a removal is one step. */
export function diff(before: JSONValue, after: JSONValue, path: TranscriptPath = []): readonly PatchOperation[] {
  if (before === after) return []
  if (isList(before) && isList(after)) return diffLists(before, after, path)
  if (isRecord(before) && isRecord(after)) return diffObjects(before, after, path)
  return [{ op: 'replace', path: pointerOf(path), value: after }]
}

function diffObjects(before: JSONObject, after: JSONObject, path: TranscriptPath): readonly PatchOperation[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return [
    ...gone.map((key): PatchOperation => ({ op: 'remove', path: pointerOf([...path, key]) })),
    ...Object.entries(after).flatMap(([key, value]): readonly PatchOperation[] => {
      const at = [...path, key]
      return Object.hasOwn(before, key)
        ? diff(before[key] as JSONValue, value, at)
        : [{ op: 'add', path: pointerOf(at), value }]
    }),
  ]
}

/** Walks both lists once. An index counts what is there after the steps before it, as the standard wants. */
function diffLists(
  before: readonly JSONValue[],
  after: readonly JSONValue[],
  path: TranscriptPath,
): readonly PatchOperation[] {
  const [old, wanted] = [before.map(textOf), after.map(textOf)]
  const [oldLeft, wantedLeft] = [countOf(old), countOf(wanted)]
  const steps: PatchOperation[] = []
  /** A message that speaks for another role is another message: people read a step better that puts one in. */
  function isSameThing(one: number, other: number): boolean {
    return isAlike(before[one], after[other]) || before.length - one === after.length - other
  }
  function isSurplus(text: string, one: number, other: number): boolean {
    return !wantedLeft.has(text) && before.length - one > after.length - other
  }
  let [from, to] = [0, 0]
  while (from < old.length || to < wanted.length) {
    const [a, b] = [old[from], wanted[to]]
    const at = [...path, to]
    if (a !== undefined && a === b) {
      take(oldLeft, a)
      take(wantedLeft, b)
      from += 1
      to += 1
    } else if (a !== undefined && b !== undefined && !wantedLeft.has(a) && !oldLeft.has(b) && isSameThing(from, to)) {
      steps.push(...diff(before[from] as JSONValue, after[to] as JSONValue, at))
      take(oldLeft, a)
      take(wantedLeft, b)
      from += 1
      to += 1
    } else if (b === undefined || (a !== undefined && (oldLeft.has(b) || isSurplus(a, from, to)))) {
      steps.push({ op: 'remove', path: pointerOf(at) })
      take(oldLeft, a ?? '')
      from += 1
    } else {
      steps.push({ op: 'add', path: pointerOf(at), value: after[to] as JSONValue })
      take(wantedLeft, b)
      to += 1
    }
  }
  return steps
}

function isAlike(one: JSONValue | undefined, other: JSONValue | undefined): boolean {
  if (one === undefined || other === undefined || !isRecord(one) || !isRecord(other)) return false
  return one['role'] === other['role'] && one['type'] === other['type']
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function take(counts: Map<string, number>, text: string): void {
  const left = (counts.get(text) ?? 0) - 1
  if (left > 0) counts.set(text, left)
  else counts.delete(text)
}

function textOf(value: JSONValue): string {
  return JSON.stringify(value)
}

function isList(value: JSONValue): value is readonly JSONValue[] {
  return Array.isArray(value)
}

function isRecord(value: JSONValue): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
