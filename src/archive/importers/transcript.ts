import type { ImportLocation } from '../../api/imports.ts'
import type { ImportFormat } from '../../domain/import-format.ts'
import type { TranscriptReading } from '../../dialects/codec.ts'
import { field, isArray, toJSON } from '../../dialects/canonical/json.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import { type ImportedItem, type Turn, skip } from './imported-item.ts'
import type { Format, RecordReader } from './format.ts'
import { digest, filled, timeOf } from './values.ts'

/** A format whose messages are those of one of our dialects. */
export interface TranscriptSettings {
  readonly name: ImportFormat
  readonly isMessage: (value: unknown) => boolean
  /** The messages of a record that is a whole conversation, if it is one. */
  readonly messagesOf: (record: unknown) => readonly JSONValue[] | undefined
  readonly read: (messages: readonly JSONValue[], reading: TranscriptReading) => readonly Draft[] | undefined
}

/**
 * Records are conversations, or messages of the one conversation that the file is. Where nothing has an id, a conversation is known
 * by its content and a message by its place: the same file gives the same ids, and one that has grown only adds.
 */
export function transcriptFormat(settings: TranscriptSettings): Format {
  return {
    name: settings.name,
    gathers: true,
    knows: (record) => settings.isMessage(record) || settings.messagesOf(record)?.some(settings.isMessage) === true,
    open: ({ name: file, stem }) => {
      let first: (() => Generator<ImportedItem, undefined>) | undefined
      let alone: typeof first
      const gathered: JSONValue[] = []
      const places: ImportLocation[] = []
      return { take: (record, place) => take(record, place), end: () => end() } satisfies RecordReader

      function* take(record: unknown, place: ImportLocation): Generator<ImportedItem, undefined> {
        yield* flush()
        const messages = settings.messagesOf(record)
        if (messages !== undefined) yield* whole(record, messages, place)
        else if (settings.isMessage(record)) {
          gathered.push(record as JSONValue)
          places.push(place)
        } else yield skip(place, 'wrong-type', `not a message of ${settings.name}`)
      }

      /** A document that is the whole file is called after it and may grow. One of many is what it says, in whatever file it stands. */
      function* whole(
        record: unknown,
        messages: readonly JSONValue[],
        place: ImportLocation,
      ): Generator<ImportedItem, undefined> {
        const given =
          filled(field(record, 'id')) ?? filled(field(record, 'chatId')) ?? filled(field(record, 'thread_id'))
        const among = (): string => given ?? `${settings.name}-${digest(toJSON(messages))}`
        if (place.line === undefined && place.item === undefined)
          yield* conversation(settings, given ?? stem, messages, [place])
        // Written without line breaks it looks like the first of many, until the file ends.
        else if (given === undefined && place.line === 1 && /\.json$/i.test(file)) {
          first = () => conversation(settings, among(), messages, [place])
          alone = () => conversation(settings, stem, messages, [place])
        } else yield* conversation(settings, among(), messages, [place])
      }

      function* flush(): Generator<ImportedItem, undefined> {
        if (first !== undefined) yield* first()
        first = alone = undefined
      }

      function* end(): Generator<ImportedItem, undefined> {
        if (alone !== undefined) yield* alone()
        if (gathered.length > 0) yield* conversation(settings, stem, gathered, places)
      }
    },
  }
}

function* conversation(
  settings: TranscriptSettings,
  id: string,
  messages: readonly JSONValue[],
  /** Of each message where it is a record of its own, or of the one that holds them all. */
  places: readonly ImportLocation[],
): Generator<ImportedItem, undefined> {
  const placeOf = (index: number, key: string): ImportLocation => ({
    ...((places[index] ?? places[0]) as ImportLocation),
    id: key,
  })
  const turns: Turn[] = []
  const keys = new Set<string>()
  let before: string | null = null
  const { units, read } = readUnits(settings, messages)
  for (const index of messages.keys())
    if (!read.has(index))
      yield skip(placeOf(index, `${id}:${index}`), 'wrong-type', `not a message of ${settings.name}`)
  for (const { drafts, index } of units) {
    const wire = messages[index]
    const given = filled(field(wire, 'id')) ?? drafts.find((draft) => draft.id !== undefined)?.id
    if (given !== undefined && keys.has(given)) {
      yield skip(placeOf(index, given), 'duplicate-id', 'a second message with this id')
      continue
    }
    const key = given ?? `${id}:${index}`
    keys.add(key)
    const at = timeOf(field(wire, 'createdAt') ?? field(wire, 'created_at') ?? field(wire, 'timestamp'))
    const timed = at === undefined ? drafts : drafts.map((draft) => ({ at, ...draft }))
    turns.push({ key, parent: before, drafts: timed, place: placeOf(index, key) })
    before = key
  }
  yield { type: 'conversation', conversation: { id, place: placeOf(0, id), turns } }
}

interface Units {
  readonly units: readonly { readonly drafts: readonly Draft[]; readonly index: number }[]
  /** Messages of which something was made. */
  readonly read: ReadonlySet<number>
}

/** Which drafts came from which message. */
function readUnits(settings: TranscriptSettings, messages: readonly JSONValue[]): Units {
  const units: Units['units'][number][] = []
  const read = new Set<number>()
  settings.read(messages, {
    keepMalformed: true,
    at: (value) => value,
    unit: (drafts, _wire, ...paths) => {
      for (const [index] of paths) read.add(Number(index))
      if (drafts.length > 0) units.push({ drafts, index: Number(paths[0]?.[0] ?? 0) })
    },
  })
  return { units, read }
}

/** The messages of a record that has them in a list, bare or under one of these names. */
export function messageList(record: unknown, names: readonly string[]): readonly JSONValue[] | undefined {
  if (isArray(record)) return record
  for (const name of names) {
    const list = field(record, name)
    if (isArray(list)) return list
  }
  return undefined
}
