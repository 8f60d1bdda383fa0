import type { JSONValue } from '../../src/domain/json.ts'
import type { PatchOperation } from '../../src/doctor/index.ts'

type Mutable = Record<string, JSONValue> | JSONValue[]

/** RFC 6902, as much of it as is used: written apart from what makes patches, so that one checks the other. */
export function applyPatch(before: JSONValue, patch: readonly PatchOperation[]): JSONValue {
  const root = { document: structuredClone(before) }
  for (const step of patch) {
    const keys = step.path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const path = ['document', ...keys]
    const last = path.pop() ?? ''
    const parent = path.reduce<JSONValue>(
      (at, key) => (at as Record<string, JSONValue>)[key] as JSONValue,
      root as JSONValue,
    ) as Mutable
    if (Array.isArray(parent)) {
      if (step.op === 'remove') parent.splice(Number(last), 1)
      else parent.splice(Number(last), step.op === 'add' ? 0 : 1, step.value)
    } else if (step.op === 'remove') delete parent[last]
    else parent[last] = step.value
  }
  return root.document
}
