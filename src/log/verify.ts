import { defined } from '../domain/defined.ts'
import type { Damage, LogReport, VerifyOptions } from '../api/upkeep.ts'
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { blobHashes } from '../domain/media-parts.ts'
import { isSealed } from '../domain/sealed.ts'
import type { IntegrityStore } from '../ports/integrity-store.ts'
import type { AmendmentRow, LogStore, MessageRow, SessionHead } from '../ports/log-store.ts'
import { type Body, readBody } from './body.ts'
import { digestMessage, genesisOf, link, sameBytes } from './chain.ts'
import { type Forgetting, isForgotten, isRewritten, isSound, rewrittenDigest } from './forgotten.ts'
import { isDescriptionForgotten } from './forgotten-description.ts'
import { linkAt } from './link-at.ts'
import { LinkCheck } from './link-check.ts'
import { changesOf } from './view.ts'

const ROWS_PER_PAGE = 512

/**
 * Walks every session's hash chain and every blob, oldest first, and names what does not match. With an integrity store, also compares
 * what is derived from messages beside them.
 */
export async function verify(
  store: LogStore,
  integrity?: IntegrityStore,
  onProgress?: VerifyOptions['onProgress'],
): Promise<LogReport> {
  const damage: Damage[] = []
  let sessions = 0
  let messages = 0
  let forgotten = 0
  let sealed = 0
  let before: number | undefined
  for (;;) {
    const page = await store.sessions({ everyScope: true }, { limit: 100, ...defined({ before }) })
    for (const session of page) {
      sessions += 1
      const place = { scope: session.scope, session: session.name }
      const links = integrity === undefined ? undefined : new LinkCheck(integrity, session)
      const report: Report = (found) => damage.push({ ...place, data: 'primary', remedy: 'restore', ...found })
      const walked = await verifySession(store, session, { report, links })
      // What is appended while we read has links that nobody expects yet.
      if ((await store.session(session.scope, session.name))?.version === session.version)
        damage.push(...((await links?.end()) ?? []))
      messages += walked.messages
      forgotten += walked.forgotten
      sealed += walked.sealed
      onProgress?.({ sessions, messages })
    }
    before = page.at(-1)?.key
    if (before === undefined) return { sessions, messages, forgotten, ...(sealed === 0 ? {} : { sealed }), damage }
  }
}

type Report = (damage: Omit<Damage, 'scope' | 'session' | 'data' | 'remedy'>) => void

interface Watching {
  readonly report: Report
  readonly links: LinkCheck | undefined
}

async function verifySession(store: LogStore, session: SessionHead, watching: Watching): Promise<Walked> {
  const { report } = watching
  const { scope, key, lastSeq, version } = session
  const from = (session.parent?.throughSeq ?? 0) + 1
  const walk = new ChainWalk(session, from, report)
  await verifyOrigin(store, session, report)
  // Up to the end that was read: what is appended while we walk is not missing and not too many.
  const amendments = changesOf(store, session, version)
  let amendment = await amendments.next()
  for (let next = from; next <= lastSeq;) {
    const rows = await store.messages({
      scope,
      key,
      from: next,
      through: lastSeq,
      limit: ROWS_PER_PAGE,
      newestFirst: false,
      systemOnly: false,
    })
    for (const row of rows) {
      while (amendment.done !== true && amendment.value.version < row.version) {
        walk.amendment(amendment.value)
        await verifyRevision(store, session, amendment.value, watching)
        amendment = await amendments.next()
      }
      walk.message(row)
    }
    await verifyBlobs(store, session.scope, rows, report)
    await watching.links?.rows(rows)
    const last = rows.at(-1)
    if (last === undefined) break
    next = last.seq + 1
    await setImmediate()
  }
  for (; amendment.done !== true; amendment = await amendments.next()) {
    walk.amendment(amendment.value)
    await verifyRevision(store, session, amendment.value, watching)
  }
  await verifyEnd(store, session, report)
  return walk.end()
}

/** What a revision shows and calls. */
async function verifyRevision(
  store: LogStore,
  { scope, key }: SessionHead,
  row: AmendmentRow,
  { report, links }: Watching,
): Promise<void> {
  await verifyBlobs(store, scope, [row], report)
  if (row.kind !== 'revise' || links === undefined || !row.body.includes('"tool-')) return
  const { seq } = row
  const one = { scope, key, from: seq, through: seq, limit: 1, newestFirst: false, systemOnly: false }
  const [revised] = await store.messages(one)
  await links.revision(row, revised?.body ?? '')
}

/** Rows behind the end that the session knows were put there by somebody else. */
async function verifyEnd(store: LogStore, session: SessionHead, report: Report): Promise<void> {
  const { key, scope, name, lastSeq } = session
  const range = {
    scope,
    key,
    from: lastSeq + 1,
    through: Number.MAX_SAFE_INTEGER,
    limit: 1,
    newestFirst: true,
    systemOnly: false,
  }
  const [beyond] = await store.messages(range)
  if (beyond === undefined) return
  const now = await store.session(scope, name)
  if (now !== undefined && now.lastSeq >= beyond.seq) return
  report({
    seq: beyond.seq,
    what: 'order',
    message: `Message ${beyond.seq} comes after the end of the session, ${lastSeq}`,
  })
}

interface Walked {
  readonly messages: number
  readonly forgotten: number
  readonly sealed: number
}

/** Follows one session's rows in the order of their versions. */
class ChainWalk {
  readonly #session: SessionHead
  readonly #report: Report
  #link: Uint8Array
  #seq: number
  #version: number
  #messages = 0
  #sealed = 0
  readonly #tombstones: { readonly seq: number; readonly what: Damage['what'] }[] = []
  readonly #rewritten = new Map<number, { readonly digest: string; readonly seq: number }>()
  readonly #forgets = new Set<number>()
  readonly #said = new Map<number, string>()
  #recordedAt: number

  constructor(session: SessionHead, from: number, report: Report) {
    this.#session = session
    this.#report = report
    this.#link = session.genesis
    this.#recordedAt = session.createdAt
    this.#seq = from - 1
    this.#version = session.parent?.throughVersion ?? 0
  }

  message(row: MessageRow): void {
    this.#messages += 1
    this.#seq += 1
    if (row.seq !== this.#seq) {
      this.#report({
        seq: row.seq,
        what: 'order',
        message: `Message ${row.seq} follows ${this.#seq - 1}: messages in between are missing`,
      })
      this.#seq = row.seq
    }
    if (isSealed(row.body)) this.#sealed += 1
    else if (isForgotten(row)) this.#tombstones.push({ seq: row.seq, what: 'message' })
    else if (!sameBytes(digestMessage(row), row.digest))
      this.#report({ seq: row.seq, what: 'message', message: `Message ${row.seq} is not what was written` })
    this.#step(row, row.seq)
  }

  amendment(row: AmendmentRow): void {
    const what = row.kind === 'revise' ? 'revision' : 'amendment'
    if (isSealed(row.body)) return this.#step(row, row.seq)
    if (!isSound(row))
      this.#report({ seq: row.seq, what, message: `The ${row.kind} of message ${row.seq} is not what was written` })
    else if (isForgotten(row)) this.#tombstones.push({ seq: row.seq, what })
    else if (isRewritten(row)) this.#rewritten.set(row.version, { digest: rewrittenDigest(row), seq: row.seq })
    else if (row.kind === 'forget') this.#forget(row)
    this.#step(row, row.seq)
  }

  #forget(row: AmendmentRow): void {
    this.#forgets.add(row.seq)
    const { rewritten } = JSON.parse(row.body) as Forgetting
    for (const [version, digest] of Object.entries(rewritten)) this.#said.set(Number(version), digest)
  }

  /** What is gone or was written again must have been forgotten by somebody who said so: otherwise it is damage. */
  #checkForgotten(): void {
    for (const { seq, what } of this.#tombstones) {
      if (!this.#forgets.has(seq))
        this.#report({ seq, what, message: `The content of message ${seq} is missing, although nobody forgot it` })
    }
    for (const [version, { digest, seq }] of this.#rewritten) {
      if (this.#said.get(version) !== digest)
        this.#report({
          seq,
          what: 'amendment',
          message: `The change at version ${version} was rewritten, and the log does not say why`,
        })
    }
  }

  #step(row: Pick<MessageRow, 'version' | 'recordedAt' | 'digest' | 'chain'>, seq: number): void {
    this.#version += 1
    if (row.version !== this.#version) {
      this.#report({
        seq,
        what: 'order',
        message: `Version ${row.version} follows ${this.#version - 1}: changes in between are missing`,
      })
      this.#version = row.version
    }
    if (!sameBytes(link(this.#link, row.digest), row.chain))
      this.#report({ seq, what: 'chain', message: `The link at version ${row.version} does not continue the chain` })
    this.#link = row.chain
    this.#recordedAt = row.recordedAt
  }

  end(): Walked {
    this.#checkForgotten()
    const { lastSeq, version, head } = this.#session
    if (this.#seq !== lastSeq || this.#version !== version || !sameBytes(this.#link, head)) {
      this.#report({
        seq: lastSeq,
        what: 'session',
        message: `The session says it ends at ${lastSeq} (version ${version}), its rows end at ${this.#seq} (version ${this.#version})`,
      })
    }
    if (this.#session.updatedAt !== this.#recordedAt) {
      this.#report({
        seq: null,
        what: 'session',
        message: 'The time of the last change is not that of the last row',
      })
    }
    const forgotten = this.#tombstones.filter(({ what }) => what === 'message').length
    return { messages: this.#messages - forgotten, forgotten, sealed: this.#sealed }
  }
}

async function verifyOrigin(store: LogStore, session: SessionHead, report: Report): Promise<void> {
  const isOther = !isSealed(session.description) && !sameBytes(genesisOf(session), session.genesis)
  if (isOther && !(session.description === null && (await isDescriptionForgotten(store, session)))) {
    report({
      seq: null,
      what: 'session',
      message: 'The name, description or origin of the session is not what was written',
    })
  }
  if (session.orphaned) {
    report({ seq: null, what: 'session', message: 'The session it was forked from is missing' })
    return
  }
  if (session.parent === null) return
  const parent = await store.session(session.scope, session.parent.name)
  const found = parent === undefined ? undefined : await linkAt(store, parent, session.parent.throughVersion)
  if (found === undefined || !sameBytes(found, session.parent.link)) {
    report({
      seq: session.parent.throughSeq,
      what: 'chain',
      message: `The history shared with ${JSON.stringify(session.parent.name)} is not the one that was forked`,
    })
  }
}

async function verifyBlobs(
  store: LogStore,
  scope: string,
  rows: readonly Pick<MessageRow, 'seq' | 'body'>[],
  report: Report,
): Promise<void> {
  for (const row of rows) {
    if (isSealed(row.body) || !String(row.body).includes('"blob"')) continue
    const hashes = blobHashes(partsOf(row.body))
    if (hashes.length === 0) continue
    const found = new Map((await store.blobs(scope, hashes)).map((blob) => [blob.hash, blob.bytes]))
    for (const wanted of hashes) {
      const bytes = found.get(wanted)
      if (bytes === undefined || hash('sha256', bytes) !== wanted) {
        report({
          seq: row.seq,
          what: 'blob',
          message: `Blob ${wanted} of message ${row.seq} is ${bytes === undefined ? 'missing' : 'not what was written'}`,
        })
      }
    }
  }
}

function partsOf(body: string): Body['parts'] {
  try {
    // A compaction has folds and no parts: the images that they show belong to messages, which are looked at themselves.
    return (readBody(body) as Partial<Body>).parts ?? []
  } catch {
    return [] // a body that no longer parses was reported by its digest
  }
}
