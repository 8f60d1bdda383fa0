import { checkOptions } from '../domain/check-options.ts'
import type { Field } from '../shape/shape.ts'
import type { Operation } from './operation.ts'

/** The arguments one by one, made once: calls come often. */
const lists = new WeakMap<Operation, readonly (readonly [string, Field])[]>()

/**
 * Checks what a call was given, as its description says: first the arguments one by one, then the options.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkCall(operation: Operation, ...given: readonly unknown[]): void {
  const { attempt, options } = operation
  let takes = lists.get(operation)
  if (takes === undefined) lists.set(operation, (takes = Object.entries(operation.takes ?? {})))
  for (let index = 0; index < takes.length; index++) {
    const [name, { shape, optional }] = takes[index] as readonly [string, Field]
    if (!optional || given[index] !== undefined) shape.check(attempt, name, given[index])
  }
  if (given.length <= takes.length) return
  const last = given[takes.length]
  if (options !== undefined) options.check(attempt, '', last)
  else checkOptions(attempt, last, [])
}
