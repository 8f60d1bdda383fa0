import { MemoryError } from '../domain/error.ts'
import { type Body, readBody } from '../log/body.ts'
import { genesisOf, sameBytes } from '../log/chain.ts'
import { isDescriptionForgotten } from '../log/forgotten-description.ts'
import { isForgotten } from '../log/forgotten.ts'
import { linkAt } from '../log/link-at.ts'
import { toolLinks } from '../log/tool-links.ts'
import type { Decision, LogFindings, LogStore, StoredSession } from '../ports/log-store.ts'
import { damaged } from './damaged.ts'
import { type LogEnd, type LogEntry, beginningOf, stepOf } from './log-step.ts'
import type { ForgottenHere } from './forgotten-here.ts'
import type { ImportedSession } from './read-log-record.ts'

/** Puts a session's rows behind each other, batch by batch. After each, the session is whole: a beginning of what it becomes. */
export class SessionWriter {
  readonly scope: string
  readonly name: string
  key = 0
  bytes = 0
  readonly #log: LogStore
  readonly #session: ImportedSession
  readonly #line: number
  /** Where the rows read so far end, and those before the batch. */
  #end: LogEnd
  #before: LogEnd
  #batch: LogEntry[] = []
  #stored = 0
  /** The version that the memory had: up to there nothing is written, only compared. */
  #known = -1
  #forgotten = 0
  #messages = 0
  /** Whether it is known if the session is stored: then it exists, and rows can be put to it. */
  isOpen = false
  /** It was forgotten here, so nothing of it is stored. */
  isForgotten = false
  /** Its first link says something else than its row, so far. */
  #isOther = false

  constructor(log: LogStore, session: ImportedSession, line: number) {
    this.#log = log
    this.#session = session
    this.#line = line
    this.scope = session.scope
    this.name = session.name
    const origin = { ...session, parent: withKey(session.parent, 0) }
    this.#end = this.#before = beginningOf(origin)
    this.#isOther = !sameBytes(genesisOf(origin), session.genesis)
    if (session.description !== null) this.#checkOrigin()
  }

  /** The session exists when this resolves, unless it was forgotten here. Its first rows say so, hence they are taken before. */
  async open(gone: ForgottenHere): Promise<void> {
    const { scope, name, genesis, parent } = this.#session
    this.isOpen = true
    const here = await this.#log.session(scope, name)
    if (here === undefined || !sameBytes(here.genesis, genesis)) {
      const isOrphan = here === undefined && parent !== null && gone.hasSession(scope, parent.name)
      this.isForgotten = isOrphan || (await this.#hasForgotten(gone))
    }
    if (this.isForgotten) return gone.addSession(scope, name)
    await this.#store([])
    const there = await this.#log.session(scope, name)
    this.key = there?.key ?? 0
    this.#known = there?.version ?? -1
  }

  async #hasForgotten(gone: ForgottenHere): Promise<boolean> {
    const ids = this.#batch.flatMap(({ kind, row }) => (kind === 'message' && !isForgotten(row) ? [row.id] : []))
    return (await gone.idsAmong({ scope: this.scope, session: this.name }, 'message', ids)).size > 0
  }

  get rows(): number {
    return this.#batch.length
  }

  take(entry: LogEntry, line: number, bytes: number): void {
    const next = stepOf(this.#end, entry)
    if (typeof next === 'string') throw damaged(line, next, 'the next row of its session', entry.kind)
    this.#end = next
    // A description goes with the first message, which says it.
    if (entry.kind === 'amendment' && entry.row.kind === 'forget' && entry.row.seq === 1) this.#isOther = false
    this.#batch.push(entry)
    this.bytes += bytes
  }

  async flush(): Promise<void> {
    if (this.#batch.length === 0) return
    if (this.isForgotten) {
      this.#forgotten += this.#batch.length
      return this.#passOver()
    }
    this.#messages += this.#batch.filter(({ kind }) => kind === 'message').length
    // All of it was there: whether it was the same, its last link tells at the end.
    if (this.#end.version >= this.#known) await this.#store(this.#batch)
    this.#passOver()
  }

  /** What is here beyond the archive stays; what is here up to its end must be the same. */
  async end(): Promise<void> {
    if (this.isForgotten) return
    if (this.#isOther && this.#session.description === null) {
      const here = await this.#log.session(this.scope, this.name)
      this.#isOther = here === undefined || !(await isDescriptionForgotten(this.#log, here))
    }
    this.#checkOrigin()
    await this.flush()
    const session = await this.#log.session(this.scope, this.name)
    const link = session === undefined ? undefined : await linkAt(this.#log, session, this.#end.version)
    if (link === undefined || !sameBytes(link, this.#end.link)) throw this.#conflict(this.#end.version)
  }

  /** How many rows were stored since the last time. */
  takeStored(): number {
    const stored = this.#stored
    this.#stored = 0
    return stored
  }

  /** How many rows were left out since the last time, because they were forgotten here. */
  takeForgotten(): number {
    const forgotten = this.#forgotten
    this.#forgotten = 0
    return forgotten
  }

  /** How many messages were stored since the last time, or were here already. */
  takeMessages(): number {
    const messages = this.#messages
    this.#messages = 0
    return messages
  }

  #checkOrigin(): void {
    if (this.#isOther)
      throw damaged(this.#line, 'its first hash does not match its name and origin', 'what was written', 'session')
  }

  #passOver(): void {
    this.#before = this.#end
    this.#batch = []
    this.bytes = 0
  }

  async #store(batch: readonly LogEntry[]): Promise<void> {
    const { scope, name, parent } = this.#session
    this.#stored += await this.#log.change<number>({
      scope,
      session: name,
      questions: { ids: [], callIds: [], blobs: [], ...(parent === null ? {} : { parent: parent.name }) },
      decide: (facts) => this.#decide(batch, facts),
    })
  }

  #decide(batch: readonly LogEntry[], { session, parent }: LogFindings): Decision<number> {
    const state = session ?? this.#fresh(parent)
    if (!sameBytes(state.genesis, this.#session.genesis)) throw this.#conflict(0)
    if (state.version < this.#before.version) throw this.#conflict(state.version)
    const rows = batch.filter(({ row }) => row.version > state.version)
    const common = batch.findLast(({ row }) => row.version <= state.version)
    const link = common === undefined ? this.#before.link : common.row.chain
    const isMet = (common?.row.version ?? this.#before.version) === state.version
    // Where the archive ends before the memory does, `end` compares.
    if (isMet && !sameBytes(link, state.head)) throw this.#conflict(state.version)
    if (!isMet && rows.length > 0) throw this.#conflict(state.version)
    if (rows.length === 0 && session !== undefined) return { answer: 0 }
    return { answer: rows.length + (session === undefined ? 1 : 0), write: this.#write(state, rows) }
  }

  #write(state: StoredSession, rows: readonly LogEntry[]): NonNullable<Decision<number>['write']> {
    const messages = rows.flatMap((entry) => (entry.kind === 'message' ? [entry.row] : []))
    const amendments = rows.flatMap((entry) => (entry.kind === 'amendment' ? [entry.row] : []))
    // A revision may add calls of tools.
    const spoken = [...messages, ...amendments.filter(({ kind }) => kind === 'revise')]
    const { seq, version, link, recordedAt } = rows.length === 0 ? beginningOf(state) : this.#end
    return {
      session: { ...state, updatedAt: recordedAt, lastSeq: seq, version, head: link },
      messages,
      amendments,
      links: spoken.flatMap((row) => (isForgotten(row) ? [] : toolLinks(row.seq, (readBody(row.body) as Body).parts))),
      blobs: [],
    }
  }

  #fresh(parent: LogFindings['parent']): StoredSession {
    const { parent: origin, ...identity } = this.#session
    if (origin !== null && parent === undefined)
      throw damaged(
        this.#line,
        `it was forked from ${JSON.stringify(origin.name)}, which is missing`,
        'that session before it',
        'session',
      )
    const begun = { ...identity, parent: withKey(origin, parent?.key ?? 0) }
    const { seq, version, link, recordedAt } = beginningOf(begun)
    return { ...begun, updatedAt: recordedAt, lastSeq: seq, version, head: link }
  }

  #conflict(version: number): MemoryError {
    const { scope, name } = this
    return new MemoryError(
      'archive/conflict',
      `Cannot import session ${JSON.stringify(name)} of ${JSON.stringify(scope)}: it is here with other content ${version === 0 ? 'from its beginning' : `at version ${version}`}, expected the same or none`,
      { line: this.#line, scope, session: name, version },
    )
  }
}

function withKey(parent: ImportedSession['parent'], key: number): StoredSession['parent'] {
  return parent === null ? null : { ...parent, key }
}
