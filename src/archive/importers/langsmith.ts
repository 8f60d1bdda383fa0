import type { ImportLocation } from '../../api/imports.ts'
import { arrayOf, field, isArray, isObject, objectOf } from '../../dialects/canonical/json.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import type { Format, RecordReader } from './format.ts'
import { type ThreadStep, conversationsOf } from './threads.ts'
import { filled, timeOf } from './values.ts'

/** Runs of LangSmith: what a model was given and what it said, joined to conversations by their thread. */
export const langsmith: Format = {
  name: 'langsmith',
  gathers: true,
  knows: (record) =>
    runsOf(record).some((run) => typeof field(run, 'run_type') === 'string' && isObject(field(run, 'inputs'))),
  open: ({ stem }) => {
    const runs: ThreadStep[] = []
    return {
      take: (record, place) => take(record, place),
      end: () => conversationsOf(runs, stem),
    } satisfies RecordReader

    function* take(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
      const found = runsOf(record)
      if (found.length === 0) yield skip(place, 'wrong-type', 'not a run: expected an object with run_type and inputs')
      for (const run of found) {
        const there = { ...place, ...(typeof field(run, 'id') === 'string' ? { id: String(field(run, 'id')) } : {}) }
        if (!isObject(run)) yield skip(there, 'wrong-type', 'not a run: expected an object with run_type and inputs')
        else if (run['run_type'] !== 'llm')
          yield skip(there, 'not-a-message', `a run of type ${String(run['run_type'])}`)
        else {
          const messages = messagesOf(run)
          if (messages.length === 0) yield skip(there, 'no-content', 'a run without messages')
          else
            runs.push({
              thread: threadOf(run) ?? stem,
              order: orderOf(run),
              messages,
              place: there,
              at: timeOf(run['start_time']),
            })
        }
      }
    }
  },
}

function runsOf(record: unknown): readonly JSONValue[] {
  const runs = field(record, 'runs')
  return isArray(runs) ? runs : isObject(record) ? [record] : []
}

function threadOf(run: JSONObject): string | undefined {
  const metadata = objectOf(field(run['extra'], 'metadata')) ?? {}
  return (
    filled(metadata['session_id']) ??
    filled(metadata['thread_id']) ??
    filled(metadata['conversation_id']) ??
    filled(run['trace_id']) ??
    filled(run['id'])
  )
}

/** `dotted_order` begins with the time and orders a whole trace. */
function orderOf(run: JSONObject): string {
  return filled(run['dotted_order']) ?? timeOf(run['start_time']) ?? ''
}

function messagesOf(run: JSONObject): readonly JSONValue[] {
  const given = field(run['inputs'], 'messages')
  const first = arrayOf(given)[0]
  return [...(isArray(first) ? first : arrayOf(given)), ...saidBy(run['outputs'])]
}

/** The reply, in the forms that LangChain, OpenAI and wrapped functions give it. */
function saidBy(outputs: unknown): readonly JSONValue[] {
  const generation = arrayOf(field(outputs, 'generations'))[0]
  const candidates = [
    field(isArray(generation) ? generation[0] : generation, 'message'),
    field(arrayOf(field(outputs, 'choices'))[0], 'message'),
    field(outputs, 'message'),
    field(outputs, 'output'),
    typeof field(outputs, 'role') === 'string' ? (outputs as JSONValue) : undefined,
  ]
  const message = candidates.find((candidate) => isObject(candidate))
  return message === undefined ? arrayOf(field(outputs, 'messages')).slice(-1) : [message]
}
