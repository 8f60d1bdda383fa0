import type { Described, Operation } from './operation.ts'

/** The operations of one noun, each named after it. */
export function noun<Name extends string>(
  name: string,
  operations: Readonly<Record<Name, Described>>,
): Readonly<Record<Name, Operation>> {
  const named = Object.entries<Described>(operations).map(([key, described]) => [
    key,
    { name: `${name}.${key}`, ...described },
  ])
  return Object.fromEntries(named) as Readonly<Record<Name, Operation>>
}
