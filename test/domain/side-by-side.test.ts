import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asList, interleave } from '../../src/domain/interleave.ts'

type Thought = Generator<number | readonly number[], readonly unknown[], unknown>

/** Asks its questions one after the other, or several at once, and remembers what it heard. */
function* thinking(questions: readonly (number | readonly number[])[]): Thought {
  const heard: unknown[] = []
  for (const question of questions) heard.push(yield question)
  return heard
}

/** Answers every question with its double. */
function answered<Result>(
  thought: Generator<number | readonly number[], Result, unknown>,
): readonly [Result, rounds: number] {
  let rounds = 0
  let next = thought.next()
  while (next.done !== true) {
    rounds += 1
    const { value } = next
    next = thought.next(typeof value === 'number' ? value * 2 : value.map((one) => one * 2))
  }
  return [next.value, rounds]
}

const thoughts = fc.array(fc.array(fc.oneof(fc.nat(), fc.array(fc.nat(), { maxLength: 4 })), { maxLength: 5 }), {
  maxLength: 6,
})

describe('thoughts side by side', () => {
  it('hear what each would hear alone, in as many rounds as the longest takes', () => {
    fc.assert(
      fc.property(thoughts, (all) => {
        const alone = all.map((questions) => answered(thinking(questions)))
        const [together, rounds] = answered(interleave<number, readonly unknown[][]>(all.map(thinking) as never))
        expect(together).toEqual(alone.map(([heard]) => heard))
        expect(rounds).toBe(Math.max(0, ...alone.map(([, each]) => each)))
      }),
    )
  })

  it('may be made of others that are', () => {
    const inner = (from: number): Thought =>
      interleave<number, readonly unknown[]>([thinking([from]), thinking([[from, 1], 2])])
    expect(answered(interleave([inner(5), inner(6)]))).toEqual([
      [
        [[10], [[10, 2], 4]],
        [[12], [[12, 2], 4]],
      ],
      2,
    ])
    expect([asList(1), asList([1, 2])]).toEqual([[1], [1, 2]])
  })

  it('end with what one of them throws', () => {
    function* failing(): Generator<number, unknown, unknown> {
      yield 1
      throw new Error('no more')
    }
    expect(() => answered(interleave([failing(), thinking([1, 2, 3])]))).toThrow('no more')
  })
})
