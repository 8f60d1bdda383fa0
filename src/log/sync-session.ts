import type { Synced } from '../api/changes.ts'
import { MemoryError } from '../domain/error.ts'
import { hostIdOf, withHostId } from '../domain/host-id.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { StoredSession } from '../ports/log-store.ts'
import { writeBody } from './body.ts'
import { type Committed, type PreparedStep, commitSteps } from './commit-steps.ts'
import { checkDistinctIds } from './given-names.ts'
import type { Address, Log } from './log.ts'
import { planSync } from './plan-sync.ts'
import { type PreparedMessage, prepareEach } from './prepare.ts'
import { scan } from './scan.ts'
import { openView } from './view.ts'

const ATTEMPT = 'sync'
/** Bounds of one transaction, as for `append`. What is more is stored by further ones. */
const MESSAGES_PER_CHANGE = 500
const FULL_MESSAGES_PER_CHANGE = 3
/** Whoever writes at the same time is waited for so often. */
const ATTEMPTS_MAX = 100

interface SyncSettings {
  readonly complete?: boolean
  readonly description?: Promise<PreparedMessage | undefined>
}

/**
 * Makes the live messages follow a transcript: appends what is new, revises what changed under its id, removes what is no longer
 * there. The second call with the same transcript changes nothing.
 */
export async function syncSession(
  log: Log,
  address: Address,
  messages: readonly NewMessage[],
  { complete = false, description }: SyncSettings,
): Promise<Synced> {
  const preparing = prepareEach(log, ATTEMPT, messages)
  const prepared = await log.order.after(
    address,
    Promise.all([preparing, description]).then(([ready]) => ready),
  )
  checkDistinctIds(ATTEMPT, prepared)
  const opening = await description
  const naming = new Naming(prepared)
  const synced: Done = { appended: [], revised: [], removed: [] }
  for (let conflicts = 0; ;) {
    const given = naming.given()
    const { live, version, lastSeq } = await readLive(log, address, complete ? undefined : given[0])
    const plan = planSync(live, given, { complete })
    const append = withinBounds(
      log,
      plan.append.map((message) => naming.toStore(message)),
    )
    const steps: readonly PreparedStep[] = [
      ...plan.remove.map(({ id }) => ({ type: 'remove' as const, id })),
      ...plan.revise.map((revision) => ({ type: 'revise' as const, ...revision })),
      ...(append.length === 0 ? [] : [{ type: 'append' as const, messages: append }]),
    ]
    if (steps.length === 0) return { ...synced, lastSeq, version }
    const change = { attempt: ATTEMPT, steps, after: { version }, opening, onlyNew: true }
    // The last conflict is the caller's.
    const commit = conflicts + 1 < ATTEMPTS_MAX ? committed : commitSteps
    const made = await commit(log, address, change)
    if (made === undefined) conflicts += 1
    if (made === undefined || made.type === 'overtaken') continue
    if (made.type === 'done') {
      const revised = made.stored.slice(0, plan.revise.length)
      synced.revised.push(...revised)
      synced.appended.push(...made.stored.slice(revised.length))
      synced.removed.push(...plan.remove.map(({ id }) => id))
      naming.store(append)
      const rest = plan.append.slice(append.length)
      synced.appended.push(...(await appendRest(log, address, { rest, naming, session: made.session })))
    } else naming.leave(made)
  }
}

interface Done {
  readonly appended: Message[]
  readonly revised: Message[]
  readonly removed: string[]
}

/** `undefined` if somebody else wrote meanwhile. */
function committed(
  log: Log,
  address: Address,
  change: Parameters<typeof commitSteps>[2],
): Promise<Committed | undefined> {
  return commitSteps(log, address, change).catch((error: unknown) => {
    if (MemoryError.is(error, 'log/conflict')) return undefined
    throw error
  })
}

interface Rest {
  readonly rest: readonly PreparedMessage[]
  readonly naming: Naming
  readonly session: StoredSession | undefined
}

/**
 * Appends what one transaction could not hold, as long as nobody else writes: then nothing has to be read again. What is left after
 * that is planned again.
 */
async function appendRest(log: Log, address: Address, { rest, naming, session }: Rest): Promise<readonly Message[]> {
  const appended: Message[] = []
  let version = session?.version
  for (let done = 0; version !== undefined && done < rest.length;) {
    const next = rest.slice(done, done + MESSAGES_PER_CHANGE).map((message) => naming.toStore(message))
    const messages = withinBounds(log, next)
    const steps = [{ type: 'append' as const, messages }]
    const made = await committed(log, address, { attempt: ATTEMPT, steps, after: { version }, onlyNew: true })
    if (made?.type !== 'done') break
    appended.push(...made.stored)
    naming.store(messages)
    done += messages.length
    version = made.session?.version
  }
  return appended
}

/** Live messages, oldest first: all, or from the first message of the transcript on, if it is among them. */
async function readLive(
  log: Log,
  address: Address,
  first: PreparedMessage | undefined,
): Promise<{ readonly live: readonly Message[]; readonly version: number; readonly lastSeq: number }> {
  const view = await openView(log.store, address)
  if (view === undefined) return { live: [], version: 0, lastSeq: 0 }
  const { version, lastSeq } = view
  const live: Message[] = []
  for await (const message of scan(log.store, view, {
    from: 1,
    through: lastSeq,
    newestFirst: true,
    withRemoved: false,
  })) {
    live.push(message)
    if (first?.idGiven === true && hostIdOf(message) === first.id) break
  }
  return { live: live.toReversed(), version, lastSeq }
}

/** As many messages as one transaction may hold, at least one. */
function withinBounds(log: Log, messages: readonly PreparedMessage[]): readonly PreparedMessage[] {
  const max = log.messageBytesMax * FULL_MESSAGES_PER_CHANGE
  let bytes = 0
  const end = messages.findIndex(({ body, blobs }, index) => {
    bytes += Buffer.byteLength(body) + blobs.reduce((sum, blob) => sum + blob.bytes.length, 0)
    return index >= MESSAGES_PER_CHANGE || (index > 0 && bytes > max)
  })
  return end < 0 ? messages : messages.slice(0, end)
}

/** The ids under which new messages are stored. An id whose first message was removed gets a number: `m1~2`. */
class Naming {
  readonly #prepared: readonly PreparedMessage[]
  readonly #numbers = new Map<string, number>()
  readonly #forgotten = new Set<string>()
  readonly #stored = new Set<string>()

  constructor(prepared: readonly PreparedMessage[]) {
    this.#prepared = prepared
  }

  /**
   * The transcript without what was forgotten: it must not come back. What this call has stored is found by its id, whatever others
   * wrote after it.
   */
  given(): readonly PreparedMessage[] {
    return this.#prepared
      .filter(({ id }) => !this.#forgotten.has(this.#storedId(id)))
      .map((message) => (this.#stored.has(this.#storedId(message.id)) ? { ...message, idGiven: true } : message))
  }

  /** Takes note of messages that are stored, under the ids that they have there. */
  store(messages: readonly PreparedMessage[]): void {
    for (const { id } of messages) this.#stored.add(id)
  }

  toStore(message: PreparedMessage): PreparedMessage {
    const id = this.#storedId(message.id)
    if (id === message.id) return message
    const { provider, ...rest } = message.draft
    const draft = { ...rest, ...withHostId(provider, message.id) }
    return { ...message, id, draft, body: writeBody(draft) }
  }

  /** Takes note of ids that cannot be used. */
  leave({ type, ids }: { readonly type: 'taken' | 'forgotten'; readonly ids: readonly string[] }): void {
    const unusable = new Set(ids)
    for (const { id } of this.#prepared) {
      const stored = this.#storedId(id)
      if (!unusable.has(stored)) continue
      if (type === 'forgotten') this.#forgotten.add(stored)
      else this.#numbers.set(id, (this.#numbers.get(id) ?? 1) + 1)
    }
  }

  #storedId(id: string): string {
    const number = this.#numbers.get(id)
    return number === undefined ? id : `${id}~${number}`
  }
}
