import { MemoryError } from '../domain/error.ts'
import type { LogFindings } from '../ports/log-store.ts'
import { forgottenName } from './forgotten.ts'
import type { Address } from './log.ts'
import type { PreparedMessage } from './prepare.ts'

/** The names that a caller gave, by what is kept of each if it was forgotten. */
export type GivenNames = ReadonlyMap<string, string>

const NONE: GivenNames = new Map()

/** What to look for before ids and the name of an operation are used: whether they were forgotten. */
export function givenNames(
  address: Address,
  given: readonly Pick<PreparedMessage, 'id'>[],
  operationId: string | undefined,
): GivenNames {
  if (given.length === 0 && operationId === undefined) return NONE
  return new Map([
    ...given.map(({ id }) => [forgottenName({ ...address, kind: 'message', id }), id] as const),
    ...(operationId === undefined
      ? []
      : [[forgottenName({ ...address, kind: 'operation', id: operationId }), operationId] as const]),
  ])
}

/** A retry of a write whose content was forgotten meanwhile must not store it again. */
export function checkNotForgotten(
  attempt: string,
  names: GivenNames,
  { forgotten }: Pick<LogFindings, 'forgotten'>,
): void {
  for (const name of forgotten) {
    const id = names.get(name) ?? ''
    throw new MemoryError(
      'log/forgotten',
      `Cannot ${attempt}: ${JSON.stringify(id)} was forgotten in this session, expected another id`,
      { id },
    )
  }
}

export function checkDistinctIds(attempt: string, messages: readonly Pick<PreparedMessage, 'id'>[]): void {
  if (messages.length < 2) return
  const ids = new Set<string>()
  for (const { id } of messages) {
    if (ids.has(id))
      throw new MemoryError(
        'input/invalid',
        `Cannot ${attempt}: message id ${JSON.stringify(id)} is given twice in one call, expected distinct ids`,
        { option: 'id', received: id },
      )
    ids.add(id)
  }
}
