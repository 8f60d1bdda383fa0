import type { ChangeStep } from '../../api/changes.ts'
import type { Session } from '../../api/session.ts'
import { MemoryError } from '../../domain/error.ts'
import type { KeptEntry } from './kept-entry.ts'

const ENTRIES_AT_ONCE_MAX = 250
/** A server takes requests of 4 MiB. An entry is in its message twice: as it came, and as the log shows it. */
const CHARACTERS_AT_ONCE_MAX = 1_000_000

/** How entries are stored. */
export interface StoreEntriesOptions {
  /** Fail if an entry is stored with other content, instead of leaving it out. @default false */
  readonly refuseOthers?: boolean
}

/**
 * Appends entries in their order. Those that are stored already under their ids are left out, and those that were forgotten.
 *
 * @throws {MemoryError} `log/id-conflict` with `refuseOthers`.
 */
export async function storeEntries(
  session: Session,
  entries: readonly KeptEntry[],
  options: StoreEntriesOptions = {},
): Promise<void> {
  for (const some of portions(entries)) await store(session, some, options)
}

/** As much as one change takes. */
function* portions(entries: readonly KeptEntry[]): Generator<readonly KeptEntry[], void> {
  let some: KeptEntry[] = []
  let characters = 0
  for (const one of entries) {
    const size = JSON.stringify(one.messages).length
    if (some.length > 0 && (some.length === ENTRIES_AT_ONCE_MAX || characters + size > CHARACTERS_AT_ONCE_MAX)) {
      yield some
      some = []
      characters = 0
    }
    some.push(one)
    characters += size
  }
  if (some.length > 0) yield some
}

async function store(session: Session, entries: readonly KeptEntry[], options: StoreEntriesOptions): Promise<void> {
  const steps: readonly ChangeStep[] = [
    { type: 'append', messages: entries.flatMap(({ messages }) => messages) },
    ...entries.flatMap(({ messages: [first], bare }) =>
      first === bare ? [{ type: 'remove' as const, id: bare.id }] : [],
    ),
  ]
  try {
    await session.change(steps)
  } catch (error) {
    // Not a message that the log takes: then the entry is kept as it is.
    const isOdd = MemoryError.is(error, 'input/invalid')
    // Stored with other content, or forgotten: the others are stored without it.
    const isOther = MemoryError.is(error, 'log/id-conflict') && options.refuseOthers !== true
    const isKnown = isOther || MemoryError.is(error, 'log/forgotten')
    if (entries.length > 1 && (isOdd || isKnown)) for (const one of entries) await store(session, [one], options)
    else if (isOdd && entries[0]?.messages[0] !== entries[0]?.bare)
      await store(
        session,
        entries.map(({ bare }) => ({ messages: [bare] as const, bare })),
        options,
      )
    else if (!isKnown) throw error
  }
}
