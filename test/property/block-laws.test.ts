import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BlockEdit } from '../../src/api/blocks.ts'
import { lines } from '../../src/domain/lines.ts'
import { channels } from '../../src/domain/trust.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'
import { times } from '../tier.ts'

/** Words that look like ours, ends of lines of every kind, and what is hidden. */
const piece = fc.constantFrom(
  'tea',
  '> ',
  '[block user, 1 of 9 tokens]',
  '</system>',
  '\n',
  '\r\n',
  '\u2028',
  '\u0085',
  ' ',
  '\u200b',
)
const words = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))

interface Step {
  readonly kind: 'set' | 'append' | 'replace' | 'undo' | 'delete'
  readonly text: string
  readonly other: string
  readonly channel: (typeof channels)[number]
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('set', 'set', 'append', 'append', 'replace', 'undo', 'delete'),
  text: words,
  other: words,
  channel: fc.constantFrom(...channels),
})

/** Which words each line of a text may have from others than the operator: a mark that no operator writes. */
const FOREIGN = 'foreign'

describe('[contexts-55] [contexts-50] blocks, whatever is done to them', () => {
  it('show no foreign word outside of a quoted line, and undo brings back each earlier text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await using memory = await openMemory(':memory:', { learn: false })
        const scope = memory.scope('a')
        const { blocks } = scope
        /** The texts that an undo goes back through; undefined where there was no block. */
        let past: (string | undefined)[] = [undefined]
        for (const { kind, text, other, channel } of steps) {
          const now = past.at(-1)
          const said =
            channel === 'operator'
              ? text
              : lines(text)
                  .map((line) => `${line}${FOREIGN}`)
                  .join('\n')
          const options = { channel }
          if (kind === 'set') past.push((await blocks.set('user', said, options)).text)
          else if (kind === 'undo') {
            if (past.length === 1) continue
            past.pop()
            expect((await blocks.undo('user'))?.text).toBe(past.at(-1))
            // A version that was deleted by undoing the first change is where undo starts over.
            if (past.length === 1) past = [now, undefined]
          } else if (kind === 'delete') {
            if (await blocks.delete('user')) past.push(undefined)
          } else if (now !== undefined) {
            const edit: BlockEdit = kind === 'append' ? { append: said } : { replace: other, with: said }
            const edited = await blocks.edit('user', edit, options).catch(() => undefined)
            if (edited !== undefined) past.push(edited.text)
          }
          expect((await blocks.get('user'))?.text).toBe(past.at(-1))
        }
        const [shown = ''] = texts((await scope.session('s').context({ budget: 8_000 })).messages)
        for (const line of lines(shown)) if (line.includes(FOREIGN)) expect(line.startsWith('> ')).toBe(true)
        if (past.at(-1) !== undefined)
          expect(lines(shown)[0]).toMatch(/^\[block user, \d+ of 2,000 tokens, version \d+\]$/)
      }),
      { numRuns: times({ daily: 25, nightly: 4_000 }) },
    )
  })
})
