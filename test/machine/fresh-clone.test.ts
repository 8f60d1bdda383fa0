import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { run } from '../../scripts/run.ts'
import { tier } from '../tier.ts'

/** Every Node on the path, one for each version: often a good one, and the older one of the machine. */
const nodes = new Map(
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .map((file) => [execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), file]),
)

const committed = (await run('git', ['rev-parse', '--verify', '--quiet', 'HEAD'])).code === 0

describe.skipIf(!committed)('a fresh clone', () => {
  // The whole suite takes minutes for each Node: by day the first half must do.
  const half = tier === 'daily' ? ['--start-only'] : []

  it.each([...nodes])(
    '[show-1] [serve-1] starts with Node %s alone',
    { timeout: 30 * 60_000 },
    async (_version, node) => {
      const { code, output } = await run('scripts/fresh-clone.sh', [...half, node])
      expect(code, output).toBe(0)
    },
  )
})

describe('the script for it', () => {
  it('[show-1] refuses a Node that is not there', async () => {
    const { code } = await run('scripts/fresh-clone.sh', ['--start-only', '/no/such/node'])
    expect(code).not.toBe(0)
  })
})
