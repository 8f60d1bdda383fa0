import { pairKey } from '../../domain/pair-key.ts'
import type {
  AmendmentRow,
  LogChange,
  Decision,
  LogFindings,
  OperationRow,
  Questions,
  SessionHead,
  ToolLink,
} from '../../ports/log-store.ts'
import { headAfter } from './head-after.ts'

export type Stored = LogFindings['answered'][number]
export type Write = NonNullable<Decision<unknown>['write']>

/** Which of the blobs and forgotten names that a batch asks for are there, as `pairKey` of scope and name. */
export interface Present {
  readonly blobs: Set<string>
  readonly forgotten: Set<string>
}

const NONE: ReadonlySet<string> = new Set()
/** For a change that asks for nothing. */
export const NO_ANSWERS: Omit<LogFindings, 'session'> = {
  parent: undefined,
  operation: undefined,
  messages: new Map(),
  links: [],
  blobs: NONE,
  forgotten: NONE,
  answered: [],
}

export function asksMore({ ids, callIds, blobs, forgotten, operationId }: Questions): boolean {
  return (
    operationId !== undefined ||
    ids.length > 0 ||
    callIds.length > 0 ||
    blobs.length > 0 ||
    (forgotten !== undefined && forgotten.length > 0)
  )
}

interface Rows {
  readonly stored: Map<string, Stored>
  readonly operations: Map<string, OperationRow>
  readonly links: Map<string, ToolLink[]>
}

/**
 * What is known of one session while a batch is decided: what was read, and what the decisions before have added. So the second
 * change of a batch sees the first, as if it had been committed.
 */
export class SessionFindings {
  head: SessionHead | undefined
  readonly existed: boolean
  readonly written: Write[] = []
  #rows: Rows | undefined
  #added = 0

  constructor(head: SessionHead | undefined) {
    this.head = head
    this.existed = head !== undefined
  }

  /** Put together when a change asks for it: most appends ask for nothing. */
  get rows(): Rows {
    this.#rows ??= { stored: new Map(), operations: new Map(), links: new Map() }
    while (this.#added < this.written.length) addWritten(this.#rows, this.written[this.#added++])
    return this.#rows
  }

  addLinks(links: readonly ToolLink[]): void {
    addLinks(this.rows, links)
  }

  /** What a decision asks for. */
  of(
    { scope, questions }: LogChange<unknown>,
    parent: SessionHead | undefined,
    { blobs, forgotten }: Present,
  ): LogFindings {
    if (!asksMore(questions)) return { ...NO_ANSWERS, session: this.head, parent }
    const { ids, callIds, operationId } = questions
    const { stored, operations, links } = this.rows
    const operation = operationId === undefined ? undefined : operations.get(operationId)
    const bySeq = operation === undefined ? undefined : new Map([...stored.values()].map((one) => [one.row.seq, one]))
    return {
      session: this.head,
      parent,
      operation,
      messages: new Map(ids.flatMap((id) => [stored.get(id)].flatMap((one) => (one === undefined ? [] : [[id, one]])))),
      links: callIds.flatMap((callId) => links.get(callId) ?? []),
      blobs: among(scope, questions.blobs, blobs),
      forgotten: among(scope, questions.forgotten, forgotten),
      answered: (operation?.seqs ?? []).flatMap((seq) => bySeq?.get(seq) ?? []),
    }
  }

  /** Takes a decision as if it were committed. */
  apply(write: Write): void {
    this.written.push(write)
    this.head = headAfter(this.head ?? { key: NO_KEY }, write)
  }
}

function addWritten({ stored, operations, links }: Rows, write: Write | undefined): void {
  if (write === undefined) return
  for (const row of write.messages) stored.set(row.id, { row, amendments: [] })
  // Mostly there are none, and a batch may have stored thousands of messages by now.
  for (const [id, { row, amendments }] of write.amendments.length === 0 ? [] : stored) {
    const more = write.amendments.filter((amendment) => concerns(amendment, row.seq))
    if (more.length > 0) stored.set(id, { row, amendments: [...amendments, ...more] })
  }
  addLinks({ links }, write.links)
  if (write.operation !== undefined) operations.set(write.operation.id, write.operation)
}

function addLinks({ links: known }: Pick<Rows, 'links'>, links: readonly ToolLink[]): void {
  for (const link of links) {
    const same = known.get(link.callId)
    if (same === undefined) known.set(link.callId, [link])
    else same.push(link)
  }
}

function among(scope: string, names: readonly string[] = [], present: ReadonlySet<string>): ReadonlySet<string> {
  return names.length === 0 ? NONE : new Set(names.filter((name) => present.has(pairKey(scope, name))))
}

/** Revisions and removals of a message, and clears that reach it. */
function concerns({ kind, seq }: AmendmentRow, place: number): boolean {
  if (kind === 'compact' || kind === 'undo') return false
  return kind === 'revise' || kind === 'remove' || kind === 'forget' ? seq === place : seq >= place
}

/** A session that is not stored yet has no key; nobody asks for one before it is. */
const NO_KEY = 0

/** The same session once it has its key. */
export function keyed(head: SessionHead, key: number): SessionHead {
  const own = head.lineage.at(-1)
  return { ...head, key, lineage: [...head.lineage.slice(0, -1), ...(own === undefined ? [] : [{ ...own, key }])] }
}
