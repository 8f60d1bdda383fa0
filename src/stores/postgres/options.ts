import type { ConnectionOptions } from 'node:tls'

/** How a memory uses its server. */
export interface PostgresOptions {
  /**
   * The address with the role that owns the tables and changes them when a new version asks for it. The role of the memory's
   * own address then needs nothing but to be there: it gets its rights on the tables, owns none of them, and row security
   * holds for it.
   *
   * @default the memory's own address
   */
  readonly migrate?: string
  /**
   * Where the tables are. Two memories in one database have two schemas.
   *
   * @default 'daybook'
   */
  readonly schema?: string
  /**
   * In how many parts the large tables are made, by hash of the scope. Chosen when they are made: a memory that has another
   * number is refused with `store/partitioned`. 1 is none; see docs/scale.md for when more are worth it.
   *
   * @default 1 for new tables, else whatever there is
   */
  readonly partitions?: number
  /**
   * The address of a standby of the same server, with the same role. Only reads that say `stale: true` go there; their answers
   * are as old as the standby is behind. Everything that decides something reads from the primary.
   *
   * @default none: such reads go to the primary
   */
  readonly replica?: string
  /**
   * Connections that this process opens at most.
   *
   * @default 10
   */
  readonly connections?: number
  /**
   * How long a call waits for a connection, for a server that is away, or for others that hold its rows, before it fails with
   * `store/busy` or `store/unavailable`. In milliseconds.
   *
   * @default 15,000
   */
  readonly waitMs?: number
  /**
   * How long the server may work on one statement before it fails with `store/timeout`. In milliseconds.
   *
   * @default 30,000
   */
  readonly statementMs?: number
  /**
   * Let the server keep the plans of our statements, by name. A pooler that gives each transaction another connection may lose or
   * mix up the names. It is noticed when the memory is opened; `true` uses names all the same, for a pooler that supports them.
   *
   * @default true, but false behind a pooler
   */
  readonly prepare?: boolean
  /**
   * The password, where it is not in the address. A function is called for each new connection, for passwords that change, such
   * as the tokens of a cloud provider.
   *
   * @default the one in the address
   */
  readonly password?: string | (() => string | Promise<string>)
  /**
   * TLS, where the parameter `sslmode` of the address is not enough: the certificates of your own authority, or a client's.
   *
   * @default what `sslmode` says
   */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'rejectUnauthorized' | 'servername'>
  /**
   * The name that the server shows for our connections. The parameter `application_name` of the address does the same.
   *
   * @default 'daybook'
   */
  readonly applicationName?: string
  /**
   * Dangers that you know of and accept. They are told as events instead of refused.
   *
   * @default none
   */
  readonly accept?: readonly Danger[]
}

/** What makes a server or a role unfit to keep a memory. */
export type Danger = (typeof dangers)[number]

export const dangers = [
  'fsync-off', // a power cut of the server loses or damages what was acknowledged
  'full-page-writes-off', // a power cut can damage the data
  'encoding', // not UTF8: texts would come back changed
  'superuser', // row security does not hold for the role
  'bypass-row-security', // row security does not hold for the role
] as const

/** What a pool needs to know. */
export interface PoolOptions {
  readonly schema: string
  readonly connections: number
  readonly waitMs: number
  readonly statementMs: number
  readonly lockMs: number
  /** Undefined: unless there is a pooler. */
  readonly prepare: boolean | undefined
  /** How to log in, where it is not in the address. */
  readonly login: Readonly<Record<string, unknown>>
}

export function poolOptions(options: PostgresOptions): PoolOptions {
  const { schema = 'daybook', connections = 10, waitMs = 15_000, statementMs = 30_000, prepare } = options
  const { password, tls, applicationName } = options
  const login = {
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { ssl: tls }),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
  }
  return { schema, connections, waitMs, statementMs, lockMs: Math.min(waitMs, statementMs), prepare, login }
}
