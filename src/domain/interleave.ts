/** A thought that asks as it goes: one question, or a list of those that need no answer in between. */
type Thought<Question, Result> = Generator<Question | readonly Question[], Result, unknown>

/** Thinks several thoughts that do not wait for each other: what each asks next is asked together. Results come in their order. */
export function* interleave<Question, Results extends readonly unknown[] | []>(thoughts: {
  readonly [Index in keyof Results]: Thought<Question, Results[Index]>
}): Thought<Question, Results> {
  const states = thoughts.map((thought) => thought.next())
  while (states.some(({ done }) => done !== true)) {
    const asked = states.map((state) => (state.done === true ? [] : asList(state.value)))
    const found = (yield asked.flat()) as readonly unknown[]
    let at = 0
    for (const [index, thought] of thoughts.entries()) {
      const state = states[index]
      if (state === undefined || state.done === true) continue
      const answers = found.slice(at, at + (asked[index]?.length ?? 0))
      at += answers.length
      states[index] = thought.next(isList(state.value) ? answers : answers[0])
    }
  }
  return states.map(({ value }) => value) as unknown as Results
}

/** What was asked, as a list. */
export function asList<Question>(asked: Question | readonly Question[]): readonly Question[] {
  return isList(asked) ? asked : [asked]
}

export function isList<Question>(asked: Question | readonly Question[]): asked is readonly Question[] {
  return Array.isArray(asked)
}
