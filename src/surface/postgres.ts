import type { PostgresOptions, PostgresTls } from '../api/postgres.ts'
import { dangers } from '../domain/danger.ts'
import { isPostgresAddress } from '../domain/postgres-address.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf } from '../shape/combine.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCount, aCountUpTo, aFlag, aText, checkedBy, oneOf, unchecked } from '../shape/values.ts'

/** PostgreSQL drops the rest of a longer name silently. */
const NAME_BYTES_MAX = 63
/** With more partitions, planning a statement costs more than reading a larger table. */
const PARTITIONS_MAX = 256

const anAddress: Shape<string> = checkedBy({ kind: 'text' }, 'a postgres:// address', (attempt, path, given) => {
  if (typeof given !== 'string' || !isPostgresAddress(given)) refuse(attempt, path, given, 'a postgres:// address')
})

const aSchemaName: Shape<string> = checkedBy({ kind: 'text' }, 'a name', (attempt, path, given) => {
  if (typeof given !== 'string' || given === '' || /\p{Cc}/u.test(given) || new Blob([given]).size > NAME_BYTES_MAX)
    refuse(attempt, path, given, `a name of 1 to ${NAME_BYTES_MAX} bytes`)
})

/** The error does not repeat the value: it may be most of the password. */
const aPassword: Shape<NonNullable<PostgresOptions['password']>> = checkedBy(
  { kind: 'local' },
  'a password',
  (attempt, path, given) => {
    if (typeof given !== 'string' && typeof given !== 'function')
      refuse(attempt, path, typeof given, 'a string or a function that returns one')
  },
)

const tls: Shape<PostgresTls> = anObject('PostgresTls', {
  ca: mayHave(
    unchecked<NonNullable<PostgresTls['ca']>>('certificates'),
    'The certificates of the authorities to trust',
  ),
  cert: mayHave(unchecked<NonNullable<PostgresTls['cert']>>('a certificate'), 'The certificate of the client'),
  key: mayHave(unchecked<NonNullable<PostgresTls['key']>>('a key'), 'The key of the client'),
  passphrase: mayHave(unchecked<string>('a text'), "The passphrase of the client's key"),
  rejectUnauthorized: mayHave(aFlag, 'Refuse a server whose certificate is not trusted', 'true'),
  servername: mayHave(aText, "The name that the server's certificate must have", 'the host of the address'),
})

/** How a memory uses its PostgreSQL server. */
export const postgresOptions: Shape<PostgresOptions> = anObject('PostgresOptions', {
  migrate: mayHave(
    anAddress,
    'The address with the role that owns the tables and changes them for a new version',
    "the memory's own address",
  ),
  schema: mayHave(aSchemaName, 'The schema that has the tables', "'daybook'"),
  partitions: mayHave(
    aCountUpTo(PARTITIONS_MAX),
    'How many partitions the large tables have, by hash of the scope',
    '1 for new tables, otherwise as it is',
  ),
  replica: mayHave(
    anAddress,
    'The address of a standby of the same server, with the same role',
    'none: such reads use the primary',
  ),
  connections: mayHave(aCount, 'How many connections this process opens at most', '10'),
  waitMs: mayHave(
    aCount,
    'How long a call waits for a connection, for a server that is away, or for others that hold its rows, in milliseconds',
    '15,000',
  ),
  statementMs: mayHave(aCount, 'How long one statement may take, in milliseconds', '30,000'),
  prepare: mayHave(
    aFlag,
    'Let the server keep the plans of our statements, by name',
    'true, but false behind a pooler',
  ),
  password: mayHave(aPassword, 'The password, if it is not in the address', 'the one in the address'),
  tls: mayHave(
    tls,
    'TLS, if the parameter `sslmode` of the address is not enough: the certificates of your own authority, or of a client',
    'what `sslmode` says',
  ),
  applicationName: mayHave(
    aText,
    'The name that the server shows for our connections, as the parameter `application_name` of the address does',
    "'daybook'",
  ),
  accept: mayHave(
    aListOf(oneOf(dangers), { wanted: `a list of ${dangers.join(', ')}` }),
    'Dangers that you know of and accept',
    'none',
  ),
})
