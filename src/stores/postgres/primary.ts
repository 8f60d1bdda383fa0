import { callbackify } from 'node:util'
import type { Driver } from './driver.ts'

/** A machine that is gone says nothing: so long is it waited for, where there is another to ask. */
const CONNECT_MS_MAX = 5_000

/** Every promotion of a standby begins a new timeline, and the names of its files begin with its number. */
const PLACE = `SELECT pg_is_in_recovery() AS "standby", CASE WHEN pg_is_in_recovery() THEN 0
  ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END AS "timeline"`

interface ServerState {
  readonly standby: boolean
  readonly timeline: number
}

/** Where a connection leads, and how many losses there had been when it was made. */
interface Origin {
  readonly losses: number
  timeline: number | undefined
}

/** The addresses of the servers that an address names: one, or several (`postgres://app@one:5432,two:5432/name`). */
export function addressesOf(url: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url]
}

/**
 * Finds the one of several servers that takes writes, again whenever a connection is lost.
 *
 * One that was replaced and does not know it takes writes too, and they are lost: whoever has spoken with a timeline speaks
 * with no earlier one. Clients that have not yet seen the new one are protected by synchronous replication: the old one acknowledges
 * nothing without its standby.
 */
export class Primary {
  readonly #addresses: readonly string[]
  readonly #origins = new WeakMap<object, Origin>()
  /** Rises with every loss, and says which address is tried next. */
  #losses = 0
  #timeline = 0

  constructor(url: string) {
    this.#addresses = addressesOf(url)
  }

  /** What the driver makes its connections with: each goes to the server that was the primary last. */
  clients(
    driver: typeof Driver,
    waitMs: number,
    greet: (client: Driver.Client) => Promise<void>,
  ): new () => Driver.ClientBase {
    const current = (): string => this.#addresses[this.#losses % this.#addresses.length] ?? ''
    const join = (client: Driver.Client): void => this.#join(client)
    const timeout = this.#several
      ? { connectionTimeoutMillis: Math.min(CONNECT_MS_MAX, Math.ceil(waitMs / (2 * this.#addresses.length))) }
      : {}
    return class extends driver.Client {
      constructor(config: Driver.ClientConfig = {}) {
        super({ ...config, connectionString: config.ssl ? withoutTls(current()) : current(), ...timeout })
        // What the address leaves out would still replace it.
        if (config.password !== undefined) Object.assign(this, { password: config.password })
        join(this)
      }

      /** The pool of the driver passes a callback. */
      override connect(): Promise<Driver.Client>
      override connect(callback: ((error: Error) => void) | ((error: null, client: Driver.Client) => void)): void
      override connect(callback?: unknown): Promise<Driver.Client> | void {
        const connect = async (): Promise<Driver.Client> => {
          try {
            await super.connect()
            await greet(this)
            return this
          } catch (error) {
            // The driver leaves a connection open that was refused half-way, and the server waits for its password.
            this.end().catch(() => undefined)
            throw error
          }
        }
        if (callback === undefined) return connect()
        callbackify(connect)(callback as (error: Error | null, client: Driver.Client) => void)
      }
    }
  }

  /** Refuses a server that is not the primary, as the driver would one that is not there. */
  async greet(client: Driver.ClientBase): Promise<void> {
    const origin = this.#origins.get(client)
    if (!this.#several || origin === undefined) return
    const { rows } = await client.query<ServerState>(PLACE)
    const { standby, timeline } = rows[0] ?? { standby: true, timeline: 0 }
    if (standby || Number(timeline) < this.#timeline) throw notPrimary()
    this.#timeline = origin.timeline = Number(timeline)
  }

  /** Made before the last loss: where it leads may be the server that is gone, or that does not know that it was replaced. */
  isOld(client: Driver.ClientBase): boolean {
    return this.#several && this.#origins.get(client)?.losses !== this.#losses
  }

  /** A connection broke: the next one is sought at the next address, unless somebody went on from there already. */
  broke(client: Driver.ClientBase): void {
    if (!this.isOld(client)) this.#losses += 1
  }

  get #several(): boolean {
    return this.#addresses.length > 1
  }

  #join(client: Driver.Client): void {
    const origin: Origin = { losses: this.#losses, timeline: undefined }
    this.#origins.set(client, origin)
    // Never greeted: it could not be reached, or is not the primary.
    client.once('end', () => origin.timeline === undefined && this.broke(client))
  }
}

/** The options for TLS count more than the parameters of the address, which the driver would take instead. */
function withoutTls(address: string): string {
  return address.replaceAll(/(?<=[?&])ssl(?:mode|rootcert|cert|key)=[^&]*&?/g, '')
}

function notPrimary(): Error {
  return Object.assign(new Error('the server is a standby, or was replaced by another'), { code: '08004' })
}
