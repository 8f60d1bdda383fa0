import { inheritedAmendments } from '../../domain/inherited-amendments.ts'
import { pairKey } from '../../domain/pair-key.ts'
import type {
  AmendmentRow,
  LogChange,
  MessageRow,
  OperationRow,
  Segment,
  SessionHead,
  ToolLink,
} from '../../ports/log-store.ts'
import { callKey } from '../sql/call-key.ts'
import { type SessionRow, sessionHead } from '../sql/lineage.ts'
import type { Link } from './link.ts'
import { batchStatements as sql } from './log-statements.ts'
import { SessionFindings } from './session-findings.ts'

/** All that the changes of a batch want to know, by session; and which blobs and forgotten names their scopes have. */
export interface BatchFindings {
  readonly sessions: ReadonlyMap<string, SessionFindings>
  readonly blobs: ReadonlyMap<string, ReadonlySet<string>>
  readonly forgotten: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Locks the sessions, then reads what the changes ask for: one round trip for the locks, one for the answers, and one more
 * only where a message was found or a session is a fork. Those that are `known` are not waited for.
 */
export async function readFindings(
  link: Link,
  changes: readonly LogChange<unknown>[],
  known: Heads | undefined,
): Promise<BatchFindings> {
  const heads = known === undefined ? await lock(link, changes) : hold(link, known)
  const sessions = new Map([...heads].map(([name, head]) => [name, new SessionFindings(head)]))
  const asked = new Asked(changes, sessions)
  // Together, so that none fails unheard while another is waited for.
  const [found, operations, links, blobs, forgotten] = await Promise.all([
    asked.messages(link),
    asked.operations(link),
    asked.links(link),
    readNames(link, sql.blobs, changes, ({ blobs: hashes }) => hashes),
    readNames(link, sql.forgotten, changes, (questions) => questions.forgotten ?? []),
  ])
  const answered = await asked.answered(link, operations)
  await asked.amend(link, [...found, ...answered])
  asked.tell(links)
  return { sessions, blobs, forgotten }
}

/** By name; undefined where there is no such session yet. */
type Heads = ReadonlyMap<string, SessionHead | undefined>

async function lock(link: Link, changes: readonly LogChange<unknown>[]): Promise<Heads> {
  const wanted = new Map<string, readonly [scope: string, name: string]>()
  for (const { scope, session, questions } of changes) {
    wanted.set(pairKey(scope, session), [scope, session])
    if (questions.parent !== undefined) wanted.set(pairKey(scope, questions.parent), [scope, questions.parent])
  }
  const rows = await ask<SessionRow>(link, sql.lockSessions, columnsOf([...wanted.values()], 2))
  const heads = new Map((await withLineage(link, rows)).map((head) => [pairKey(head.scope, head.name), head]))
  return new Map([...wanted.keys()].map((name) => [name, heads.get(name)]))
}

/** Takes the sessions to be as they are known. Where one is not, the server refuses the whole transaction, commit and all. */
function hold(link: Link, known: Heads): Heads {
  const rows = [...known.values()].flatMap((one) =>
    one === undefined ? [] : [[one.scope, one.key, one.version, one.head, JSON.stringify(one.description)]],
  )
  void link.send({ text: sql.holdSessions, values: [...columnsOf(rows, 5), rows.length], gives: 'rows' })
  return known
}

/** A row that belongs to a question: `place` says to which. */
type Placed<Row> = Row & { readonly place: number }
type FoundMessage = { readonly facts: SessionFindings; readonly row: MessageRow }

/** The questions of a batch, and where their answers go. */
class Asked {
  readonly #questions: readonly { readonly facts: SessionFindings; readonly change: LogChange<unknown> }[]

  constructor(changes: readonly LogChange<unknown>[], sessions: ReadonlyMap<string, SessionFindings>) {
    this.#questions = changes.flatMap((change) => {
      const facts = sessions.get(pairKey(change.scope, change.session))
      return facts?.head === undefined ? [] : [{ facts, change }]
    })
  }

  async messages(link: Link): Promise<readonly FoundMessage[]> {
    const places = this.#questions.flatMap(({ facts, change }) =>
      change.questions.ids.flatMap((id) => segmentsOf(facts).map((segment) => ({ facts, segment, id }))),
    )
    const rows = await ask<Placed<MessageRow>>(
      link,
      sql.messagesById,
      columnsOf(
        places.map(({ segment, id }, place) => [place, segment.scope, segment.key, id]),
        4,
      ),
    )
    return rows.flatMap(({ place, ...row }) => {
      const at = places[place]
      // An ancestor may have gone on after the fork: what came later is not part of this session.
      return at === undefined || row.seq < at.segment.from || row.seq > at.segment.through
        ? []
        : [{ facts: at.facts, row }]
    })
  }

  async operations(link: Link): Promise<readonly { readonly facts: SessionFindings; readonly row: OperationRow }[]> {
    const places = this.#questions.filter(({ change }) => change.questions.operationId !== undefined)
    const rows = await ask<Placed<Omit<OperationRow, 'seqs'> & { readonly seqs: string }>>(
      link,
      sql.operations,
      columnsOf(
        places.map(({ facts, change }, place) => [place, change.scope, facts.head?.key, change.questions.operationId]),
        4,
      ),
    )
    return rows.flatMap(({ place, seqs, ...row }) => {
      const facts = places[place]?.facts
      return facts === undefined ? [] : [{ facts, row: { ...row, seqs: JSON.parse(seqs) as number[] } }]
    })
  }

  async links(link: Link): Promise<readonly { readonly facts: SessionFindings; readonly link: ToolLink }[]> {
    const callIds = new Map<SessionFindings, Set<string>>()
    for (const { facts, change } of this.#questions)
      for (const callId of change.questions.callIds)
        callIds.set(facts, (callIds.get(facts) ?? new Set<string>()).add(callId))
    const places = [...callIds].flatMap(([facts, ids]) =>
      [...ids].flatMap((callId) => (facts.head?.lineage ?? []).map((segment) => ({ facts, segment, callId }))),
    )
    const rows = await ask<Placed<Omit<ToolLink, 'callId'>>>(
      link,
      sql.links,
      columnsOf(
        places.map(({ segment, callId }, place) => [
          place,
          segment.scope,
          segment.key,
          callKey(callId),
          segment.through,
        ]),
        5,
      ),
    )
    return rows.flatMap(({ place, seq, kind }) => {
      const at = places[place]
      return at === undefined ? [] : [{ facts: at.facts, link: { callId: at.callId, seq, kind } }]
    })
  }

  /** Keeps the operations that were found, and reads the messages that they were answered with. */
  async answered(link: Link, operations: Awaited<ReturnType<Asked['operations']>>): Promise<readonly FoundMessage[]> {
    const places = operations.flatMap(({ facts, row }) => {
      facts.operations.set(row.id, row)
      return row.seqs.flatMap((seq) => {
        const segment = facts.head?.lineage.find(({ from, through }) => from <= seq && seq <= through)
        return segment === undefined ? [] : [{ facts, segment, seq }]
      })
    })
    const rows = await ask<Placed<MessageRow>>(
      link,
      sql.messagesBySeq,
      columnsOf(
        places.map(({ segment, seq }, place) => [place, segment.scope, segment.key, seq]),
        4,
      ),
    )
    return rows.flatMap(({ place, ...row }) => {
      const at = places[place]
      return at === undefined ? [] : [{ facts: at.facts, row }]
    })
  }

  /** Keeps messages with all that was changed about them. */
  async amend(link: Link, all: readonly FoundMessage[]): Promise<void> {
    // Two changes of a batch may ask for the same message, by its id or as an answer.
    const known = new Map<SessionFindings, Set<string>>()
    const found = all.filter(({ facts, row }) => {
      const ids = known.get(facts) ?? new Set<string>()
      if (ids.has(row.id)) return false
      known.set(facts, ids.add(row.id))
      return true
    })
    const places = found.flatMap((one) => (one.facts.head?.lineage ?? []).map((segment) => ({ ...one, segment })))
    const rows = await ask<Placed<AmendmentRow>>(
      link,
      sql.amendments,
      columnsOf(
        places.map(({ segment, row }, place) => [place, segment.scope, segment.key, row.seq, segment.throughVersion]),
        5,
      ),
    )
    const byPlace = places.map((): AmendmentRow[] => [])
    for (const { place, ...row } of rows) byPlace[place]?.push(row)
    for (const { facts, row } of found) facts.stored.set(row.id, { row, amendments: [] })
    for (const [place, { facts, row, segment }] of places.entries()) {
      const amendments = byPlace[place] ?? []
      const stored = facts.stored.get(row.id)
      const shared = segment.key === facts.head?.key ? amendments : inheritedAmendments(amendments, segment.through)
      if (stored !== undefined) facts.stored.set(row.id, { row, amendments: [...stored.amendments, ...shared] })
    }
  }

  tell(links: Awaited<ReturnType<Asked['links']>>): void {
    for (const { facts, link } of links) facts.addLinks([link])
  }
}

function segmentsOf(facts: SessionFindings): readonly Segment[] {
  return facts.head?.lineage ?? []
}

async function withLineage(link: Link, rows: readonly SessionRow[]): Promise<readonly SessionHead[]> {
  const forks = rows.filter(({ parentKey }) => parentKey !== null)
  const ancestors = await ask<SessionRow>(
    link,
    sql.ancestors,
    columnsOf(
      forks.map(({ scope, key }) => [scope, key]),
      2,
    ),
  )
  const byKey = new Map(ancestors.map((row) => [row.key, row]))
  return rows.map((row) => {
    const line: SessionRow[] = []
    const seen = new Set([row.key])
    for (let key = row.parentKey; key !== null && !seen.has(key);) {
      const ancestor = byKey.get(key)
      if (ancestor === undefined) break
      line.push(ancestor)
      seen.add(key)
      key = ancestor.parentKey
    }
    return sessionHead(row, line)
  })
}

/** Those of the names asked for that are there, by scope. */
async function readNames(
  link: Link,
  text: string,
  changes: readonly LogChange<unknown>[],
  namesIn: (questions: LogChange<unknown>['questions']) => readonly string[],
): Promise<ReadonlyMap<string, Set<string>>> {
  const wanted = changes.flatMap(({ scope, questions }) => namesIn(questions).map((name) => [scope, name]))
  const found = new Map<string, Set<string>>()
  const rows = await ask<{ readonly scope: string; readonly hash: string }>(link, text, columnsOf(wanted, 2))
  for (const { scope, hash } of rows) found.set(scope, (found.get(scope) ?? new Set<string>()).add(hash))
  return found
}

/** Rows as the lists that `unnest` puts side by side again. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): readonly (readonly unknown[])[] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]))
}

/** Nothing is asked where there is nothing to ask for. */
async function ask<Row>(link: Link, text: string, values: readonly (readonly unknown[])[]): Promise<readonly Row[]> {
  if (values[0]?.length === 0) return []
  return (await link.send({ text, values, gives: 'rows' })) as readonly Row[]
}
