import { describe } from 'vitest'

import { buildShim } from './shim.ts'

/** A suite that needs the shim between a child and its disk. Without a C compiler it is skipped, and says why. */
export function describeWithShim(title: string, suite: (library: string) => void): void {
  const shim = buildShim()
  if (shim.library === undefined) describe.skip(`${title} (skipped: ${shim.reason})`, () => suite(''))
  else describe(title, () => suite(shim.library))
}
