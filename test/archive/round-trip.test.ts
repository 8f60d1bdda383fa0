import { describe, expect, it } from 'vitest'
import { fill, fresh, readAll, textOf } from './scene.ts'

describe('an archive', () => {
  it('[arc-1] [arc-2] of everything, imported into an empty memory, is exported again to the byte', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.export())
    await using other = await fresh()
    const imported = await other.import([archive])
    expect(await textOf(other.export())).toBe(archive)
    expect(await readAll(other)).toEqual(await readAll(memory))
    expect((await other.verify()).ok).toBe(true)
    expect(imported.stored).toBeGreaterThan(50)
    for (const kind of KINDS) expect(archive, kind).toContain(`,"kind":"${kind}",`)
  })
})

const KINDS = [
  'manifest',
  'calibration',
  'blob',
  'session',
  'message',
  'amendment',
  'operation',
  'knowledge-version',
  'fact',
  'fact-source',
  'fact-forgotten',
  'entity',
  'entity-name',
  'predicate',
  'proposal',
  'proposal-part',
  'end',
]
