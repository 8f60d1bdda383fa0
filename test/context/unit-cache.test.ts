import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UnitCache } from '../../src/context/window/unit-cache.ts'
import type { Entry } from '../../src/context/window/entry.ts'
import { unitsOf } from '../../src/context/window/unit.ts'
import { parseMessage } from '../../src/domain/parse-message.ts'
import { plan, transcriptOf } from '../property/context-transcripts.ts'

it('[contexts-72] the units of a window that grows are those of the whole window', () => {
  let grown = 0
  fc.assert(
    fc.property(plan, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (steps, sizes) => {
      const entries = transcriptOf(steps)
        .messages.slice(0, 60)
        .map((message, index): Entry => {
          const { role, parts } = parseMessage('test', 'message', message)
          const rest = { id: `m${index}`, seq: index + 1, at: '', tokens: index, tokenizer: '', revision: 0 }
          return { type: 'message', message: { role, parts, ...rest } as never }
        })
      const cache = new UnitCache()
      let end = 0
      for (let turn = 0; end < entries.length; turn++) {
        end += sizes[turn % sizes.length] ?? 1
        const window = entries.slice(0, end)
        const before = cache.of('w', window)
        expect(before).toEqual(unitsOf(window))
        expect(cache.of('w', window)).toEqual(before)
        grown += 1
      }
    }),
    { numRuns: 60 },
  )
  expect(grown).toBeGreaterThan(100)
})
