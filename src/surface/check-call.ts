import { checkOptions } from '../domain/check-options.ts'
import type { Field } from '../shape/shape.ts'
import type { CheckedCall } from './operation.ts'

/** The arguments one by one, made once: calls come often. */
const lists = new WeakMap<CheckedCall, readonly (readonly [string, Field])[]>()

/**
 * Checks what a call was given, as its description says: first the arguments one by one, then the options.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkCall(call: CheckedCall, ...given: readonly unknown[]): void {
  const { attempt, options } = call
  let takes = lists.get(call)
  if (takes === undefined) lists.set(call, (takes = Object.entries(call.takes ?? {})))
  for (let index = 0; index < takes.length; index++) {
    const [name, { shape, optional }] = takes[index] as readonly [string, Field]
    if (!optional || given[index] !== undefined) shape.check(attempt, name, given[index])
  }
  if (given.length <= takes.length) return
  const last = given[takes.length]
  if (options !== undefined) options.check(attempt, '', last)
  else checkOptions(attempt, last, [])
}
