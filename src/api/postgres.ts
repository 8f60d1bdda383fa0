import type { Danger } from '../domain/danger.ts'

/** How a memory uses its PostgreSQL server. */
export interface PostgresOptions {
  /**
   * The address with the role that owns the tables and changes them for a new version. The role of the memory's own address then
   * only needs to exist: it is granted its rights on the tables, owns none of them, and row security applies to it.
   *
   * @default the memory's own address
   */
  readonly migrate?: string
  /** The schema that has the tables. Two memories in one database have two schemas. @default 'daybook' */
  readonly schema?: string
  /**
   * How many partitions the large tables have, by hash of the scope. It is chosen when they are created: a memory with another
   * number is refused with `store/partitioned`. See docs/scale.md for when more than one are worth it.
   *
   * @default 1 for new tables, otherwise as it is
   */
  readonly partitions?: number
  /**
   * The address of a standby of the same server, with the same role. Only reads with `stale: true` use it, and they are as old as
   * the standby is behind. Everything that decides something reads from the primary.
   *
   * @default none: such reads use the primary
   */
  readonly replica?: string
  /** How many connections this process opens at most. @default 10 */
  readonly connections?: number
  /**
   * How long a call waits for a connection, for a server that is away, or for others that hold its rows, in milliseconds. Then it
   * fails with `store/busy` or `store/unavailable`.
   *
   * @default 15,000
   */
  readonly waitMs?: number
  /** How long one statement may take, in milliseconds. Then it fails with `store/timeout`. @default 30,000 */
  readonly statementMs?: number
  /**
   * Let the server keep the plans of our statements, by name. A pooler that gives each transaction another connection may lose or
   * mix up the names. That is noticed when the memory is opened; `true` uses names anyway, for a pooler that supports them.
   *
   * @default true, but false behind a pooler
   */
  readonly prepare?: boolean
  /**
   * The password, if it is not in the address. A function is called for each new connection, for passwords that change, such as
   * the tokens of a cloud provider.
   *
   * @default the one in the address
   */
  readonly password?: string | (() => string | Promise<string>)
  /**
   * TLS, if the parameter `sslmode` of the address is not enough: the certificates of your own authority, or of a client.
   *
   * @default what `sslmode` says
   */
  readonly tls?: PostgresTls
  /** The name that the server shows for our connections, as the parameter `application_name` of the address does. @default 'daybook' */
  readonly applicationName?: string
  /** Dangers that you know of and accept. They become events instead of errors. @default none */
  readonly accept?: readonly Danger[]
}

type Certificates = string | Uint8Array | readonly (string | Uint8Array)[]

/** How the connection to the server is encrypted, in the form that `node:tls` takes. */
export interface PostgresTls {
  /** The certificates of the authorities to trust. */
  readonly ca?: Certificates
  /** The certificate of the client. */
  readonly cert?: Certificates
  /** The key of the client. */
  readonly key?: Certificates
  /** The passphrase of the client's key. */
  readonly passphrase?: string
  /** Refuse a server whose certificate is not trusted. @default true */
  readonly rejectUnauthorized?: boolean
  /** The name that the server's certificate must have. @default the host of the address */
  readonly servername?: string
}
