import { surface } from '../../src/surface/index.ts'
import type { Operation } from '../../src/surface/operation.ts'

/** The names of all operations. */
export const operationNames: readonly string[] = surface.map(({ name }) => name)

/** The operation of a name. */
export function operationNamed(name: string): Operation {
  const found = surface.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}
