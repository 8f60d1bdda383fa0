import type { ImportLocation } from '../../api/imports.ts'
import { field, isArray, isObject, objectOf } from '../../dialects/canonical/json.ts'
import { unwrap } from '../../dialects/langchain/read.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import type { Format, RecordReader } from './format.ts'
import { type ThreadStep, conversationsOf } from './threads.ts'
import { filled, timeOf } from './values.ts'

/** Checkpoints of LangGraph as savers list them, as their tables have them, or as `getStateHistory` gives them. */
export const langgraph: Format = {
  name: 'langgraph',
  gathers: true,
  knows: (record) => isObject(record) && threadOf(record) !== undefined && valuesOf(record) !== undefined,
  open: ({ stem }) => {
    const checkpoints: ThreadStep[] = []
    return {
      take: (record, place) => take(record, place),
      end: () => conversationsOf(checkpoints, stem),
    } satisfies RecordReader

    function* take(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
      const values = isObject(record) ? valuesOf(record) : undefined
      if (!isObject(record) || values === undefined) {
        yield skip(place, 'wrong-type', 'not a checkpoint: expected one with channel_values')
        return
      }
      const messages = messagesOf(values)
      if (messages === undefined) yield skip(place, 'no-content', 'a checkpoint without messages')
      else
        checkpoints.push({
          thread: threadOf(record) ?? stem,
          order: orderOf(record),
          messages,
          place,
          at: atOf(record),
        })
    }

    /** Checkpoints are listed newest first; their ids grow with time. */
  },
}

function configOf(record: JSONObject): JSONObject {
  return objectOf(field(record['config'], 'configurable')) ?? record
}

/** The thread, and below it the graph inside the graph that wrote. */
function threadOf(record: JSONObject): string | undefined {
  const config = configOf(record)
  const thread = filled(config['thread_id'])
  const inner = filled(config['checkpoint_ns'])
  return thread === undefined || inner === undefined ? thread : `${thread}/${inner}`
}

/** Tables hold the checkpoint as JSON text. */
function checkpointOf(record: JSONObject): JSONObject | undefined {
  const { checkpoint } = record
  if (typeof checkpoint !== 'string') return objectOf(checkpoint)
  try {
    return objectOf(JSON.parse(checkpoint))
  } catch {
    return undefined
  }
}

function valuesOf(record: JSONObject): JSONObject | undefined {
  return objectOf(field(checkpointOf(record), 'channel_values')) ?? objectOf(record['values'])
}

/** The channel `messages`, or the first that holds some. */
function messagesOf(values: JSONObject): readonly JSONValue[] | undefined {
  const holds = (value: unknown): value is readonly JSONValue[] =>
    isArray(value) && value.some((item) => unwrap(item) !== undefined || typeof field(item, 'role') === 'string')
  const { messages } = values
  return holds(messages) ? messages : Object.values(values).find(holds)
}

function orderOf(record: JSONObject): string {
  const checkpoint = checkpointOf(record)
  return filled(configOf(record)['checkpoint_id']) ?? filled(checkpoint?.['id']) ?? filled(checkpoint?.['ts']) ?? ''
}

function atOf(record: JSONObject): string | undefined {
  return timeOf(field(checkpointOf(record), 'ts') ?? record['createdAt'] ?? record['created_at'])
}
