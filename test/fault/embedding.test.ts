import { setTimeout } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import type { Store } from '../../src/ports/store.ts'
import { hashEmbedder } from '../../src/providers/hash-embedder.ts'
import { checkVectors } from '../../src/recall/vectors/check-vectors.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { Folder } from './harness/folder.ts'
import { BATCH, scopesOfPassages, textOfPassage } from './harness/passages.ts'
import { seeded } from './harness/seeded.ts'

const WRITER = new URL('children/embedding-writer.ts', import.meta.url)
const PASSAGES = 400
const LIFE_MS_MAX = 60
/** Of each model. */
const kills = times({ daily: 6, nightly: 150 })

type Line = { readonly asked: number } | { readonly done: { readonly failure?: unknown } }

describe('kill -9 in the middle of embedding', () => {
  beforeAll(() => warm(WRITER))

  it(
    '[know-7] [recall-9] loses no vector, doubles none and deletes the old generation',
    { timeout: 600_000 },
    async () => {
      const random = seeded()
      using folder = new Folder()
      const file = folder.file('vectors.db')
      let interrupted = 0
      let asked = 0
      const start = (said: () => void = () => undefined): Child => {
        const child = new Child(WRITER, [file])
        child.onLine((line) => {
          asked += 'asked' in (line as Line) ? (line as { asked: number }).asked : 0
          said()
        })
        return child
      }
      // Each model takes over from the one before in the middle of its work.
      for (const model of ['first', 'second', 'third']) {
        asked = 0
        for (let kill = 0; kill < kills; kill++) {
          const { promise: asking, resolve } = Promise.withResolvers<void>()
          const child = start(resolve)
          await child.go({ model, passages: PASSAGES })
          // At any moment, or when it has just asked: how long it takes to begin is up to the machine.
          await (random.chance(0.5) ? asking : setTimeout(random.next() * LIFE_MS_MAX))
          await child.kill()
          if (child.lines.length > 0 && !child.lines.some((line) => 'done' in (line as Line))) interrupted += 1
        }
      }
      const lines = (await start().run({ model: 'third', passages: PASSAGES })) as readonly Line[]
      expect(lines.at(-1)).toMatchObject({ done: { skipped: 0 } })
      expect(interrupted).toBeGreaterThan(0)
      // What was stored is not asked for again: a kill costs one call.
      expect(asked).toBeLessThanOrEqual(scopesOfPassages.length * PASSAGES + BATCH * kills)
      const store = await openSqliteStore(file, Date.now)
      for (const scope of scopesOfPassages) await checkScope(store, scope)
      await store.close()
      const again = (await new Child(WRITER, [file]).run({ model: 'third', passages: PASSAGES })) as readonly Line[]
      expect(again).toEqual([{ done: { stored: 0, skipped: 0 } }])
    },
  )
})

async function checkScope(store: Store, scope: string): Promise<void> {
  const sets = await store.vectors.sets([scope])
  expect(sets.map(({ generation, complete, through }) => [generation.model, complete, through])).toEqual([
    ['third', true, PASSAGES],
  ])
  const rows = await store.vectors.read({ key: sets[0]?.key ?? 0, scope }, { after: 0, limit: 2 * PASSAGES })
  expect(rows.map(({ passage }) => passage)).toEqual(Array.from({ length: PASSAGES }, (_, index) => `p${index + 1}`))
  const texts = rows.map(({ passage }) => textOfPassage(passage))
  const { vectors } = await hashEmbedder().embed({ texts, signal: new AbortController().signal })
  const wanted = checkVectors(vectors, rows.length, 384)
  expect(rows.map(({ values }) => values)).toEqual(wanted.ok ? wanted.vectors : [])
}
