import { describe } from 'vitest'

import { buildShim } from './shim.ts'

/** A suite that needs the shim between a child and its disk. Without a C compiler it is skipped, and says why. */
export function describeWithShim(title: string, suite: (library: string) => void): void {
  const shim = buildShim()
  const reason = shim.library === undefined ? ` (skipped: ${shim.reason})` : ''
  describe.skipIf(shim.library === undefined)(`${title}${reason}`, () => {
    suite(shim.library ?? '')
  })
}
