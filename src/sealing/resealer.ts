import { MemoryError } from '../domain/error.ts'
import { pairKey } from '../domain/pair-key.ts'
import { beginningsOf, isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { ErasureRow } from '../ports/erasure-store.ts'
import type { Resealing, SessionPlace } from '../ports/reseal-store.ts'
import type { Store } from '../ports/store.ts'
import { type DataKey, type KeyRing, checkKeyOwner } from './key-ring.ts'
import { moveRows } from './move-rows.ts'
import { openText, sealDescription } from './seal-rows.ts'

const ATTEMPTS_MAX = 16
const BLOBS_PER_STEP = 50

/** What is written down of forgetting whose content is gone. */
interface Order {
  readonly id: string
  readonly scope: string
  /** As it stands in the row. */
  readonly body: string
  readonly resealing: readonly Resealing[]
}

/**
 * Gives every session that something was forgotten in another data key and destroys the one it had, so that old backups cannot be
 * read with the key file.
 *
 * 1. A new key is made durable. Nothing needs it yet.
 * 2. One transaction names it in the session's row and writes down, in the order to forget, which key it retires. Whoever writes reads
 *    that row in the transaction that writes, or writes only if it is as it was known, so nobody seals with the old key after this.
 * 3. Rows are sealed again, page by page; each names its key, so the session can be read all the time.
 * 4. When no row of the session needs the retired key, it is destroyed, and then the order goes on.
 *
 * Stopped anywhere, whoever comes next goes on: with 2 if the order names no retired key, else with 3. Several may do it at once.
 */
export class Resealer {
  readonly #store: Store
  readonly #ring: KeyRing

  constructor(store: Store, ring: KeyRing) {
    this.#store = store
    this.#ring = ring
  }

  /** All orders of a scope, or of every scope, that wait for it: those that meet in a session share one key. */
  async reseal(scope?: string): Promise<void> {
    const among = await this.#orders(scope)
    const ids = new Set(among.map(({ id }) => id))
    const sessions = new Map(
      among
        .flatMap(({ resealing }) => resealing)
        .map((session) => [pairKey(session.scope, String(session.key)), session]),
    )
    // One that is damaged waits by itself.
    const failed = new Map<string, unknown>()
    for (const [name, session] of sessions) {
      try {
        await this.#turn(session, ids)
        await moveRows(this.#store, this.#ring, session)
      } catch (error) {
        if (!MemoryError.is(error, 'store/corrupt') && !MemoryError.is(error, 'store/busy')) throw error
        failed.set(name, error)
      }
    }
    const turned = (await this.#orders(scope)).filter(
      ({ id, resealing }) =>
        ids.has(id) && !resealing.some((session) => failed.has(pairKey(session.scope, String(session.key)))),
    )
    await this.#destroy(turned.flatMap(({ resealing }) => resealing))
    for (const { scope: owner, id, body } of turned) {
      const { resealing: _, ...counts } = JSON.parse(body) as Record<string, unknown>
      await this.#store.reseal.keysGone(owner, id, JSON.stringify(counts))
    }
    for (const error of failed.values()) throw error
  }

  /** Data keys that sessions had before, as far as they are not destroyed yet. */
  async retired(session: SessionPlace): Promise<readonly string[]> {
    const among = (await this.#orders(session.scope)).flatMap(({ resealing }) => resealing)
    return among.flatMap(({ key, retired }) => (key === session.key && retired !== null ? [retired] : []))
  }

  /**
   * Whatever waits is done first; answers whether nothing waits any more. What stands in the way of it, a damaged row as a rule, must not
   * stand in the way of others too.
   */
  async settle(): Promise<boolean> {
    try {
      for (const { id, stage, body } of await this.#store.erasure.unfinished())
        if (stage === 'answers' && waits({ stage, body })) await this.#store.erasure.blankAnswers(id)
      await this.reseal()
    } catch (error) {
      if (!MemoryError.is(error, 'store/corrupt') && !MemoryError.is(error, 'store/busy')) throw error
    }
    return !(await isBetweenKeys(this.#store))
  }

  /** Does something that must not see a session on its way from one key to another: begins again where it did. */
  async undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (!(await this.settle())) return work()
      const before = await this.#ring.destructions()
      const result = await work()
      if ((await this.#ring.destructions()) === before && !(await isBetweenKeys(this.#store))) return result
    }
    return work()
  }

  async #orders(scope: string | undefined): Promise<readonly Order[]> {
    const rows = await this.#store.erasure.unfinished()
    return rows.filter((row) => row.stage === 'keys' && (scope === undefined || row.scope === scope)).map(readOrder)
  }

  /** A new key for a session, on behalf of all orders that wait for one. */
  async #turn(session: SessionPlace, ids: ReadonlySet<string>): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const head = await this.#store.log.session(session.scope, session.name)
      const orders = (await this.#orders(session.scope)).filter(
        ({ id, resealing }) => ids.has(id) && resealing.some((each) => isSame(each, session) && each.retired === null),
      )
      if (orders.length === 0 || head?.key !== session.key || !isSealed(head.description)) return
      const from = head.description
      const former = keyOfSealed(from)
      const notes = orders.map((order) => ({ id: order.id, from: order.body, to: noted(order, session, former) }))
      const key = await this.#ring.byId(former)
      if (key === undefined) {
        // Nobody can read it any more, with or without another key.
        if (await this.#store.reseal.turn(session, { from, to: from }, notes)) return
        continue
      }
      const fresh = await this.#ring.begin(session.scope, session.name)
      const to = resealDescription(checkKeyOwner(key, session.scope, new Set([session.name])), fresh, from)
      if (await this.#store.reseal.turn(session, { from, to }, notes)) return
      await this.#ring.destroy([fresh.id])
    }
    throw busy(session)
  }

  async #destroy(all: readonly Resealing[]): Promise<void> {
    const toDestroy = new Map<string, Resealing>()
    for (const session of all) if (session.retired !== null) toDestroy.set(session.retired, session)
    for (const [id, session] of toDestroy) {
      const beginnings = beginningsOf(id)
      const key = await this.#ring.fresh(id)
      // Another's key, that somebody wrote into an order; or it is gone already.
      if (key !== undefined && (key.scope !== session.scope || key.session !== session.name)) continue
      // Another may have retired it after its rows were looked through here.
      for (let attempt = 0; key !== undefined && (await this.#store.reseal.needs(session, beginnings)); attempt++) {
        if (attempt === ATTEMPTS_MAX) throw busy(session)
        await moveRows(this.#store, this.#ring, session)
      }
      while ((await this.#store.reseal.dropBlobs(session.scope, beginnings.bytes, BLOBS_PER_STEP)) > 0);
      await this.#ring.destroy([id])
    }
  }
}

/** Whether sessions are on their way from one key to another. */
export async function isBetweenKeys({ erasure }: Pick<Store, 'erasure'>): Promise<boolean> {
  return (await erasure.unfinished()).some(waits)
}

function waits({ stage, body }: Pick<ErasureRow, 'stage' | 'body'>): boolean {
  return stage === 'keys' || (stage === 'answers' && body.includes('"resealing":'))
}

function readOrder({ id, scope, body }: ErasureRow): Order {
  const { resealing = [] } = JSON.parse(body) as { readonly resealing?: readonly Resealing[] }
  return { id, scope, body, resealing }
}

function isSame(a: SessionPlace, b: SessionPlace): boolean {
  return a.scope === b.scope && a.key === b.key
}

function noted({ body }: Order, session: SessionPlace, retired: string): string {
  const order = JSON.parse(body) as { readonly resealing: readonly Resealing[] }
  const resealing = order.resealing.map((each) =>
    isSame(each, session) && each.retired === null ? { ...each, retired } : each,
  )
  return JSON.stringify({ ...order, resealing })
}

function resealDescription(former: DataKey, fresh: DataKey, sealed: string): string {
  return sealDescription(fresh, JSON.parse(openText(former, ['description'], sealed)) as string | null)
}

function busy({ scope, name }: SessionPlace): MemoryError {
  return new MemoryError(
    'store/busy',
    `Cannot encrypt session ${JSON.stringify(name)} again: others changed it during each of ${ATTEMPTS_MAX} attempts`,
    { scope, session: name },
  )
}
