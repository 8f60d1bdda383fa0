import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import { type PostgresOptions, dangers } from '../stores/postgres/options.ts'
import { checkCount, checkFlag } from './check-arguments.ts'
import { parseLocation } from './location.ts'

const ATTEMPT = 'open a memory'
/** What PostgreSQL keeps of a name; the rest it would drop in silence. */
const NAME_BYTES_MAX = 63
/** Beyond it, planning a statement costs more than looking into a larger table. */
const PARTITIONS_MAX = 256

export function checkPostgres(options: PostgresOptions): void {
  checkOptions(ATTEMPT, options, [
    'migrate',
    'schema',
    'partitions',
    'replica',
    'connections',
    'waitMs',
    'statementMs',
    'prepare',
    'password',
    'tls',
    'applicationName',
    'accept',
  ])
  const { schema, accept } = options
  for (const name of ['migrate', 'replica'] as const) {
    const address: unknown = options[name]
    if (address === undefined) continue
    if (parseLocation(ATTEMPT, `postgres.${name}`, address).kind !== 'postgres')
      refuse(ATTEMPT, `postgres.${name}`, address, 'a postgres:// address')
  }
  if (
    schema !== undefined &&
    (typeof schema !== 'string' ||
      schema === '' ||
      /\p{Cc}/u.test(schema) ||
      Buffer.byteLength(schema) > NAME_BYTES_MAX)
  )
    refuse(ATTEMPT, 'postgres.schema', schema, `a name of 1 to ${NAME_BYTES_MAX} bytes`)
  for (const name of ['connections', 'waitMs', 'statementMs'] as const) {
    if (options[name] !== undefined) checkCount(ATTEMPT, `postgres.${name}`, options[name])
  }
  const { partitions } = options
  if (partitions !== undefined && (!Number.isSafeInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX))
    refuse(ATTEMPT, 'postgres.partitions', partitions, `a whole number from 1 to ${PARTITIONS_MAX}`)
  if (options.prepare !== undefined) checkFlag(ATTEMPT, 'postgres.prepare', options.prepare)
  const { password, tls, applicationName } = options
  // The value is not repeated: it may be most of the password.
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    refuse(ATTEMPT, 'postgres.password', typeof password, 'a string or a function that gives one')
  if (tls !== undefined)
    checkOptions(ATTEMPT, tls, ['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized', 'servername'])
  if (applicationName !== undefined && typeof applicationName !== 'string')
    refuse(ATTEMPT, 'postgres.applicationName', applicationName, 'a name')
  if (accept !== undefined && (!Array.isArray(accept) || accept.some((danger) => !dangers.includes(danger))))
    refuse(ATTEMPT, 'postgres.accept', accept, `a list of ${dangers.join(', ')}`)
}
