import type { JSONValue } from '../../domain/json.ts'
import { arrayOf, field, isObject } from '../../dialects/canonical/json.ts'
import type { TranscriptPath } from '../../dialects/violation.ts'
import type { Specimen } from '../specimen.ts'
import { type DoctorProblem, jsonText } from './problem.ts'

/**
 * The file of the reference MCP memory server. It is rewritten whole on every change and without a lock, so two clients
 * leave duplicates behind, and relations of entities that one of them never saw.
 */
export function* checkMcpMemory({ kind, value }: Specimen): Generator<DoctorProblem> {
  if (kind !== 'mcp-memory') return
  const records = arrayOf(value)
  const entities = new Set(records.filter(isEntity).map((record) => field(record, 'name')))
  const seen = new Map<string, string>()
  for (const [index, record] of records.entries()) {
    const key = keyOf(record)
    const before = key === undefined ? undefined : seen.get(key)
    if (key === undefined) yield unknownRecord([index])
    else if (before === undefined) {
      seen.set(key, jsonText(record))
      yield* isEntity(record) ? emptyObservations(record, [index]) : loneRelation(record, [index], entities)
    } else yield duplicate([index], before === jsonText(record))
  }
}

function unknownRecord(path: TranscriptPath): DoctorProblem {
  const message = 'Found a record that is neither an entity nor a relation'
  return { rule: 'mcp-shape', topic: 'shape', severity: 'error', path, message }
}

function duplicate(path: TranscriptPath, same: boolean): DoctorProblem {
  const base = { rule: 'duplicate-record', topic: 'duplicate', severity: 'warning', path } as const
  if (!same)
    return { ...base, message: 'Found a second entity of one name: expected one that has the observations of both' }
  return {
    ...base,
    message: 'Found a record twice: expected it once',
    fix: 'Leaves the second copy out',
    edits: [{ path }],
  }
}

function* emptyObservations(entity: JSONValue, path: TranscriptPath): Generator<DoctorProblem> {
  for (const [index, text] of arrayOf(field(entity, 'observations')).entries()) {
    if (typeof text === 'string' && text.trim() !== '') continue
    const at = [...path, 'observations', index]
    yield {
      rule: 'empty-observation',
      topic: 'empty',
      severity: 'error',
      path: at,
      message: 'Found an observation that is empty or not text',
      fix: 'Leaves it out',
      edits: [{ path: at }],
    }
  }
}

function* loneRelation(
  relation: JSONValue,
  path: TranscriptPath,
  entities: ReadonlySet<unknown>,
): Generator<DoctorProblem> {
  if (entities.has(field(relation, 'from')) && entities.has(field(relation, 'to'))) return
  const message = 'Found a relation to an entity that is missing from the file'
  yield { rule: 'lone-relation', topic: 'shape', severity: 'warning', path, message }
}

function isEntity(record: JSONValue): boolean {
  return field(record, 'type') === 'entity' && typeof field(record, 'name') === 'string'
}

function keyOf(record: JSONValue): string | undefined {
  if (isEntity(record)) return jsonText(['entity', field(record, 'name') ?? null])
  if (!isObject(record) || record['type'] !== 'relation') return undefined
  const { from, to, relationType } = record
  return [from, to, relationType].every((each) => typeof each === 'string')
    ? jsonText(['relation', from ?? null, to ?? null, relationType ?? null])
    : undefined
}
