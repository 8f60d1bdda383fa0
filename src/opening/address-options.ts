import type { PostgresOptions } from '../api/postgres.ts'
import { postgresOptions } from '../surface/postgres.ts'

const NUMBERS = ['connections', 'waitMs', 'statementMs'] as const
const TEXTS = ['schema'] as const

/**
 * The options for an address, together with those that it names itself: `postgres://app@db/agents?connections=5&schema=memory`.
 * An option that is given counts more than the address. Parameters of the driver, such as `sslmode`, stay where they are.
 */
export function withAddressOptions(address: string, given: PostgresOptions = {}): PostgresOptions {
  // An address that names several servers is not a URL.
  const parameters = new URLSearchParams(address.split('?').slice(1).join('?'))
  const found = (names: readonly string[]): readonly (readonly [string, string])[] =>
    names.flatMap((name) => {
      const text = parameters.get(name)
      return text === null ? [] : [[name, text] as const]
    })
  const numbers = found(NUMBERS).map(([name, text]) => [name, Number(text)] as const)
  const options = { ...Object.fromEntries([...found(TEXTS), ...numbers]), ...given } as PostgresOptions
  postgresOptions.check('open a memory', 'postgres', options)
  return options
}
