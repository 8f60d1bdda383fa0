import { field, isArray } from '../../dialects/canonical/json.ts'
import { mem0Memories } from '../recognise.ts'
import type { DoctorProblem } from './problem.ts'
import type { Specimen } from '../specimen.ts'

/** As Mem0's interface names them, and as its client for JavaScript does. */
const OWNERS = [
  ['user_id', 'userId'],
  ['agent_id', 'agentId'],
  ['app_id', 'appId'],
  ['run_id', 'runId'],
] as const

/** A dump of Mem0: paged reads overlap, so the same memory comes twice; deleted ones leave empty texts. */
export function* checkMem0({ kind, value }: Specimen): Generator<DoctorProblem> {
  if (kind !== 'mem0') return
  const base = isArray(value) ? [] : ['results']
  const seen = new Set<string>()
  for (const [index, memory] of mem0Memories(value).entries()) {
    const path = [...base, index]
    const text = field(memory, 'memory')
    const id = field(memory, 'id')
    if (typeof text !== 'string' || text.trim() === '') {
      yield {
        rule: 'mem0-shape',
        topic: 'empty',
        severity: 'error',
        path,
        message: 'Found a memory without text: expected text',
        fix: 'Leaves it out',
        edits: [{ path }],
      } satisfies DoctorProblem
      continue
    }
    const owner = OWNERS.map(([name, inJavaScript]) => field(memory, name) ?? field(memory, inJavaScript) ?? null)
    const keys = [
      JSON.stringify(['text', text, owner]),
      ...(typeof id === 'string' ? [JSON.stringify(['id', id])] : []),
    ]
    if (keys.some((key) => seen.has(key)))
      yield {
        rule: 'duplicate-record',
        topic: 'duplicate',
        severity: 'warning',
        path,
        message: 'Found a memory twice: its id or its text is already there',
        ...(keys.every((key) => seen.has(key)) || seen.has(keys[0] ?? '')
          ? { fix: 'Leaves the second copy out', edits: [{ path }] }
          : {}),
      } satisfies DoctorProblem
    for (const key of keys) seen.add(key)
  }
}
