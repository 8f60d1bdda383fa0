import { readBlockPlace } from '../domain/block-place.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Memory } from '../api/memory.ts'
import { documentProblems } from './examine.ts'
import type { Finding, DocumentLocation } from './finding.ts'
import { findCertainSecrets, maskSecrets } from './rules/find-secrets.ts'

/**
 * Secrets in all that is stored besides the messages as they stand now: their earlier words, folds, working documents with every
 * version of them, what is known. All of it is in the file and in every backup of it until it is forgotten.
 */
export async function* storedSecrets(memory: Memory, ignore: readonly string[]): AsyncGenerator<Finding> {
  if (ignore.includes('secret')) return
  const reader = new Reader(ignore)
  try {
    for await (const piece of memory.export())
      for (const line of piece.split('\n')) if (line !== '' && !isBlob(line)) yield* reader.take(line)
  } catch (error) {
    // What is damaged was found before this: it cannot be read to its end.
    if (!MemoryError.is(error, 'store/corrupt')) throw error
  }
}

/** The bytes of an attachment are not text. The kind is at the same place in every line. */
function isBlob(line: string): boolean {
  return line.startsWith('"kind":"blob"', '{"hash":"",'.length + 64)
}

interface Row {
  readonly scope: string
  readonly session: string
  readonly name: string
  readonly seq: number
  readonly kind: string
  readonly section: string
  readonly key: string
  readonly id: string
  readonly body: string
  readonly value: string | null
}

class Reader {
  readonly #ignore: readonly string[]
  #session: Pick<Row, 'scope' | 'name'> = { scope: '', name: '' }
  /** What a message says now, as far as it was read. `diagnoseMemory` looks at that itself. */
  #now = new Map<number, readonly Finding[]>()
  #fact = ''

  constructor(ignore: readonly string[]) {
    this.#ignore = ignore
  }

  *take(line: string): Generator<Finding, undefined> {
    const { kind, row } = JSON.parse(line) as { readonly kind: string; readonly row: Row }
    const { scope, name } = this.#session
    switch (kind) {
      case 'session':
        this.#session = row
        this.#now = new Map()
        return
      case 'message':
        this.#hold(row, { scope, session: name, seq: row.seq })
        return
      case 'amendment':
        if (row.kind === 'revise') {
          yield* this.#now.get(row.seq) ?? []
          this.#hold(row, { scope, session: name, seq: row.seq })
        } else yield* this.#secrets(row.body, { scope, session: name }, row.kind)
        return
      case 'state-entry': {
        const key = maskSecrets(row.key, findCertainSecrets(row.key))
        const what = row.section === 'value' ? `state ${JSON.stringify(key)}` : row.section
        const block = readBlockPlace(row.session)
        if (block === undefined) yield* this.#secrets(row.value, { scope: row.scope, session: row.session }, what)
        else {
          const of = block.owner === '' ? { scope: row.scope } : { scope: row.scope, session: block.owner }
          yield* this.#secrets(row.value, of, `block ${JSON.stringify(key)}`)
        }
        return
      }
      case 'fact':
        // Its versions stand one after the other.
        if (this.#fact === `${row.scope}\n${row.id}`) return
        this.#fact = `${row.scope}\n${row.id}`
        yield* this.#secrets(row.body, { scope: row.scope }, `fact ${row.id}`)
        return
      case 'entity':
      case 'proposal':
        yield* this.#secrets(row.body, { scope: row.scope }, kind)
    }
  }

  #hold({ seq, body }: Row, place: DocumentLocation): void {
    const found = [...this.#secrets(body, place, 'earlier words of the message')]
    if (found.length > 0) this.#now.set(seq, found)
    else this.#now.delete(seq)
  }

  *#secrets(text: string | null, place: DocumentLocation, what: string): Generator<Finding, undefined> {
    const value = text === null ? null : parsed(text)
    for (const { rule, topic, severity, message } of documentProblems(
      { kind: 'store', value, conversations: [] },
      this.#ignore,
    ))
      yield { rule, topic, severity, place, message: `${message} (${what})` }
  }
}

/** Some amendments say what they do in a word. */
function parsed(text: string): JSONValue {
  try {
    return JSON.parse(text) as JSONValue
  } catch {
    return text
  }
}
