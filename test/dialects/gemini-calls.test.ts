import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OpenCalls } from '../../src/dialects/gemini/open-calls.ts'

interface Named {
  readonly id: string | undefined
  readonly name: string
}

/** The rule as a search through all calls. */
function matching(calls: readonly Named[], response: Named): number {
  const exact = calls.findIndex(
    ({ id, name }) => response.id !== undefined && id === response.id && name === response.name,
  )
  if (exact !== -1) return exact
  return calls.findIndex(({ id, name }) => name === response.name && (response.id === undefined || id === undefined))
}

const named = fc.record({ id: fc.constantFrom(undefined, 'a', 'b', 'c'), name: fc.constantFrom('x', 'y') })
const steps = fc.array(fc.tuple(fc.boolean(), named), { maxLength: 30 })

it('[walls-101] calls of Gemini are paired with their responses by id, name and order', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const open = new OpenCalls<Named>()
      const left: Named[] = []
      for (const [isCall, one] of all) {
        if (isCall) {
          open.add(one, one)
          left.push(one)
        } else {
          const at = matching(left, one)
          expect(open.take(one)).toBe(at < 0 ? undefined : left.splice(at, 1)[0])
        }
      }
    }),
  )
})
