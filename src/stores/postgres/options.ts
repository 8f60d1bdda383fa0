import { defined } from '../../domain/defined.ts'
import type { PostgresOptions } from '../../api/postgres.ts'

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
    ...defined({ password, ssl: tls, application_name: applicationName }),
  }
  return { schema, connections, waitMs, statementMs, lockMs: Math.min(waitMs, statementMs), prepare, login }
}
