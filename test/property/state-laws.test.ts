import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JSONValue } from '../../src/domain/json.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { ManualClock } from '../contract/subject.ts'

interface Step {
  readonly kind: 'set' | 'set-expected' | 'delete' | 'note'
  readonly key: string
  readonly value: JSONValue
  readonly passMs: number
  readonly expected: number
}

/** The state as one would explain it on a blackboard: a list of whole documents, one for each version. */
class ModelState {
  readonly versions: {
    readonly at: number
    readonly values: ReadonlyMap<string, { value: JSONValue; version: number }>
  }[] = [{ at: 0, values: new Map() }]

  get last() {
    return this.versions.at(-1) ?? { at: 0, values: new Map<string, { value: JSONValue; version: number }>() }
  }

  write(now: number, key: string, value: JSONValue | undefined): void {
    const values = new Map(this.last.values)
    if (value === undefined) values.delete(key)
    else values.set(key, { value, version: this.versions.length })
    this.versions.push({ at: Math.max(now, this.last.at), values })
  }

  /** A version in which no value changed: something else of the session did. */
  pass(now: number): void {
    this.versions.push({ at: Math.max(now, this.last.at), values: this.last.values })
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('set', 'set-expected', 'delete', 'note'),
  key: fc.constantFrom('a', 'b', '__proto__', 'ключ'),
  value: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JSONValue>,
  passMs: fc.integer({ min: -5, max: 10 }),
  expected: fc.integer({ min: 0, max: 6 }),
})

const shown = (values: ReadonlyMap<string, { readonly value: JSONValue }>): unknown =>
  JSON.parse(JSON.stringify([...values].map(([key, { value }]) => [key, value]).toSorted()))

describe('[state-1] the state', () => {
  it('is at every version and every time what it was then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const clock = new ManualClock()
        await using memory = await openMemory(':memory:', { clock, learn: false })
        const { state } = memory.scope('a').session('s')
        const model = new ModelState()
        for (const { kind, key, value, passMs, expected } of steps) {
          clock.time += passMs
          const found = model.last.values.get(key)?.version ?? 0
          if (kind === 'set') {
            expect((await state.set(key, value)).version).toBe(model.versions.length)
            model.write(clock.time, key, value)
          } else if (kind === 'set-expected') {
            const set = state.set(key, value, { expected })
            if (expected === found) {
              await set
              model.write(clock.time, key, value)
            } else await expect(set).rejects.toMatchObject({ code: 'state/conflict', details: { found } })
          } else if (kind === 'delete') {
            expect(await state.delete(key)).toBe(found > 0)
            if (found > 0) model.write(clock.time, key, undefined)
          } else {
            await state.notes.add('something')
            model.pass(clock.time)
          }
        }
        for (const [version, { values }] of model.versions.entries()) {
          const { entries } = await state.snapshot({ asOf: { version } })
          expect(entries.map((entry) => [entry.key, entry.value]).toSorted()).toEqual(shown(values))
          expect(entries.map((entry) => entry.version)).toEqual(entries.map((entry) => values.get(entry.key)?.version))
        }
        for (let time = clock.time - 60; time <= clock.time + 60; time += 5) {
          const then = model.versions.findLast(({ at }) => at <= time)?.values ?? new Map()
          const { entries } = await state.snapshot({ asOf: new Date(time) })
          expect(entries.map((entry) => [entry.key, entry.value]).toSorted()).toEqual(shown(then))
        }
        for (const key of ['a', 'b', '__proto__', 'ключ']) {
          const changes = model.versions.flatMap(({ values }, version) => {
            const before = model.versions[version - 1]?.values.get(key)
            const now = values.get(key)
            if (before === now) return []
            return [
              now === undefined ? { version } : { version, value: JSON.parse(JSON.stringify(now.value)) as unknown },
            ]
          })
          const history = await state.history(key)
          expect(
            history.map((change) => ({
              version: change.version,
              ...('value' in change ? { value: change.value } : {}),
            })),
          ).toEqual(changes.toReversed())
        }
      }),
    )
  })
})
