import type {
  AmendmentRow,
  LogChange,
  Decision,
  LogFindings,
  OperationRow,
  SessionHead,
  ToolLink,
} from '../../ports/log-store.ts'
import { headAfter } from '../sql/head-after.ts'

export type Stored = LogFindings['answered'][number]
export type Write = NonNullable<Decision<unknown>['write']>

/** What a scope has of what a change asks for. */
export interface Present {
  readonly blobs: ReadonlySet<string>
  readonly forgotten: ReadonlySet<string>
}

/**
 * What is known of one session while a batch is decided: what was read from the server, and what the decisions before have
 * added. So the second change of a batch sees the first, as if it had been committed.
 */
export class SessionFindings {
  head: SessionHead | undefined
  readonly existed: boolean
  readonly stored: Map<string, Stored> = new Map()
  readonly operations: Map<string, OperationRow> = new Map()
  readonly #links: Map<string, ToolLink[]> = new Map()
  readonly written: Write[] = []

  constructor(head: SessionHead | undefined) {
    this.head = head
    this.existed = head !== undefined
  }

  addLinks(links: readonly ToolLink[]): void {
    for (const link of links) {
      const known = this.#links.get(link.callId)
      if (known === undefined) this.#links.set(link.callId, [link])
      else known.push(link)
    }
  }

  /** What a decision asks for. */
  facts(
    { questions }: LogChange<unknown>,
    parent: SessionHead | undefined,
    { blobs, forgotten }: Present,
  ): LogFindings {
    const { ids, callIds, operationId } = questions
    const operation = operationId === undefined ? undefined : this.operations.get(operationId)
    const bySeq =
      operation === undefined ? undefined : new Map([...this.stored.values()].map((one) => [one.row.seq, one]))
    return {
      session: this.head,
      parent,
      operation,
      messages: new Map(
        ids.flatMap((id) => [this.stored.get(id)].flatMap((one) => (one === undefined ? [] : [[id, one]]))),
      ),
      links: callIds.flatMap((callId) => this.#links.get(callId) ?? []),
      blobs: new Set(questions.blobs.filter((hash) => blobs.has(hash))),
      forgotten: new Set(questions.forgotten?.filter((name) => forgotten.has(name))),
      answered: (operation?.seqs ?? []).flatMap((seq) => bySeq?.get(seq) ?? []),
    }
  }

  /** Takes a decision as if it were committed. */
  apply(write: Write): void {
    this.written.push(write)
    this.head = headAfter(this.head ?? { key: NO_KEY }, write)
    for (const row of write.messages) this.stored.set(row.id, { row, amendments: [] })
    // Mostly there are none, and a batch may have stored thousands of messages by now.
    for (const [id, { row, amendments }] of write.amendments.length === 0 ? [] : this.stored) {
      const more = write.amendments.filter((amendment) => concerns(amendment, row.seq))
      if (more.length > 0) this.stored.set(id, { row, amendments: [...amendments, ...more] })
    }
    this.addLinks(write.links)
    if (write.operation !== undefined) this.operations.set(write.operation.id, write.operation)
  }
}

/** Revisions and removals of a message, and clears that reach it. */
function concerns({ kind, seq }: AmendmentRow, place: number): boolean {
  if (kind === 'compact' || kind === 'undo') return false
  return kind === 'revise' || kind === 'remove' || kind === 'forget' ? seq === place : seq >= place
}

/** A session that is not stored yet has no key; nobody asks for one before it is. */
export const NO_KEY = 0
