import type { ImportLocation } from '../../api/imports.ts'
import { toJSON } from '../../dialects/canonical/json.ts'
import { readLangChain } from '../../dialects/langchain/read.ts'
import type { JSONValue } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import { type ImportedItem, skip } from './imported-item.ts'
import { MergedLists } from './merge-lists.ts'
import { digest } from './values.ts'

/** The messages of a thread up to some moment, as a checkpoint or a trace has them. */
export interface ThreadStep {
  readonly thread: string
  /** Grows with time. */
  readonly order: string
  readonly messages: readonly JSONValue[]
  readonly place: ImportLocation
  readonly at: string | undefined
}

/** A conversation for each thread. What is not a message is reported once, however many steps have it. */
export function* conversationsOf(steps: readonly ThreadStep[], stem: string): Generator<ImportedItem, undefined> {
  const sorted = steps.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
  for (const [id, list] of Map.groupBy(sorted, ({ thread }) => thread)) {
    const merged = new MergedLists()
    const told = new Set<string>()
    for (const { messages, place, at } of list) {
      const { drafts, unread } = readStep(messages)
      for (const index of unread) {
        const what = digest(toJSON(messages[index] ?? null))
        if (!told.has(what)) yield skip({ ...place, id }, 'wrong-type', `not a message: entry ${index + 1} of its list`)
        told.add(what)
      }
      merged.add(at === undefined ? drafts : drafts.map((draft) => ({ at, ...draft })), place)
    }
    const place = { ...(list[0]?.place ?? { file: stem }), id }
    yield { type: 'conversation', conversation: { id, place, turns: merged.turns } }
  }
}

function readStep(messages: readonly JSONValue[]): {
  readonly drafts: readonly Draft[]
  readonly unread: readonly number[]
} {
  const read = new Set<number>()
  const drafts = readLangChain(messages, {
    keepMalformed: true,
    at: (value) => value,
    unit: (_drafts, _wire, ...paths) => {
      for (const [index] of paths) read.add(Number(index))
    },
  })
  return { drafts: drafts ?? [], unread: [...messages.keys()].filter((index) => !read.has(index)) }
}
