import { defined } from '../../domain/defined.ts'
import type { ImportLocation } from '../../api/imports.ts'
import { readClaudeRecord } from '../../dialects/anthropic/read-claude-record.ts'
import { CallNames } from '../../dialects/canonical/call-names.ts'
import { arrayOf, field, isObject } from '../../dialects/canonical/json.ts'
import type { JSONObject } from '../../domain/json.ts'
import { type ImportedItem, type Turn, skip } from './imported-item.ts'
import type { Format, RecordReader } from './format.ts'
import { filled, timeOf } from './values.ts'

/** Transcripts of Claude Code: one record per line, each naming the one before it. Undocumented, so unknown types are passed over. */
export const claudeCode: Format = {
  name: 'claude-code',
  gathers: true,
  knows: (record) =>
    isObject(record) &&
    typeof record['type'] === 'string' &&
    ((typeof record['sessionId'] === 'string' && ('uuid' in record || 'parentUuid' in record)) ||
      (record['type'] === 'summary' && 'leafUuid' in record) ||
      (record['type'] === 'file-history-snapshot' && 'snapshot' in record)),
  open: ({ stem }) => {
    const threads = new Map<string, Thread>()
    const titles = new Map<string, string>()
    const sides = new Map<string, string>()
    return { take: (record, place) => take(record, place), end: () => end() } satisfies RecordReader

    function* take(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
      const uuid = filled(field(record, 'uuid'))
      if (!isObject(record) || uuid === undefined) {
        const [summary, leaf] = [filled(field(record, 'summary')), filled(field(record, 'leafUuid'))]
        if (summary !== undefined && leaf !== undefined) titles.set(leaf, summary)
        else yield skip(place, 'not-a-message', `a record of type ${String(field(record, 'type'))}`)
        return
      }
      const id = threadOf(record, uuid, stem, sides)
      const thread = threads.get(id) ?? newThread(place)
      threads.set(id, thread)
      yield* takeInto(thread, record, { ...place, id: uuid })
    }

    function* end(): Generator<ImportedItem, undefined> {
      for (const [id, { turns, place }] of threads) {
        const title = [...turns.keys()].flatMap((key) => titles.get(key) ?? []).at(-1)
        const conversation = { id, place, turns: [...turns.values()], ...defined({ title }) }
        yield { type: 'conversation', conversation }
      }
    }
  },
}

interface Thread {
  readonly place: ImportLocation
  readonly turns: Map<string, Turn>
  /** The group of a record: the records of one reply, and the results of its calls. */
  readonly groups: Map<string, string>
  /** The last record of a group. */
  readonly tails: Map<string, string>
  readonly names: CallNames
  last: string | null
}

function newThread(place: ImportLocation): Thread {
  return { place, turns: new Map(), groups: new Map(), tails: new Map(), names: new CallNames(), last: null }
}

/** What a helper of the agent did is a conversation of its own. Older records do not name it: then it is the one they hang on. */
function threadOf(record: JSONObject, uuid: string, stem: string, sides: Map<string, string>): string {
  const session = filled(record['sessionId']) ?? stem
  if (record['isSidechain'] !== true) return session
  const side = filled(record['agentId']) ?? sides.get(filled(record['parentUuid']) ?? '') ?? uuid
  sides.set(uuid, side)
  return `${session}/${side}`
}

/**
 * One reply is written as several records, one a block, and the results of parallel calls hang on different ones of them. They are
 * one run of the conversation in the order of the file, not branches of it: whatever follows any of them follows the last.
 */
function* takeInto(thread: Thread, record: JSONObject, place: ImportLocation): Generator<ImportedItem, undefined> {
  const { turns, groups, tails } = thread
  const uuid = place.id ?? ''
  if (turns.has(uuid)) {
    yield skip(place, 'duplicate-id', 'a record that was copied from an earlier session')
    return
  }
  const before = filled(record['parentUuid']) ?? filled(record['logicalParentUuid'])
  const known = before !== undefined && turns.has(before)
  const group = groupOf(thread, record, uuid, known ? before : undefined)
  const above = groups.get(before ?? '') ?? ''
  const tail = tails.get(group) ?? (known ? (tails.get(above) ?? before) : undefined)
  // A beginning that was cut off, or copied from elsewhere, does not make what follows a branch of nothing.
  const parent =
    tail ?? (before === undefined && record['parentUuid'] === null && thread.last === null ? null : thread.last)
  const { drafts, reason, message } = readClaudeRecord(record, thread.names, timeOf(record['timestamp']))
  if (reason !== undefined) yield skip(place, reason, message)
  turns.set(uuid, { key: uuid, parent: parent ?? null, drafts, place })
  groups.set(uuid, group)
  tails.set(group, uuid)
  thread.last = uuid
}

function groupOf({ groups }: Thread, record: JSONObject, uuid: string, before: string | undefined): string {
  const reply = filled(field(record['message'], 'id'))
  if (record['type'] === 'assistant' && reply !== undefined) return `reply ${reply}`
  const content = arrayOf(field(record['message'], 'content'))
  const isResult = content.length > 0 && content.every((block) => field(block, 'type') === 'tool_result')
  const source = filled(record['sourceToolAssistantUUID']) ?? before
  return (isResult && source !== undefined ? groups.get(source) : undefined) ?? `record ${uuid}`
}
