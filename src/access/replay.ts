import type { JSONValue } from '../domain/json.ts'

/** What became of a write whose server ended before it could tell. */
export type ReplayOutcome = 'not done' | 'unknown' | { readonly value: unknown }

/** How to tell whether a write was done, from what was there before it and what is there now. */
export interface Replay {
  /** Done twice it leaves what it leaves when done once, so that nobody needs to know. */
  readonly harmless?: true
  /** What is there before, in few words and without content. */
  before(): Promise<JSONValue>
  outcome(before: JSONValue): Promise<ReplayOutcome>
}

export const harmless: Replay = {
  harmless: true,
  before: () => Promise.resolve(null),
  outcome: () => Promise.resolve('not done'),
}

/** A number that rises with every change: if it is the same, nothing was done. If it is not, `look` may know more. */
export function byVersion(
  version: () => Promise<number>,
  look: (before: number) => Promise<ReplayOutcome> = () => Promise.resolve('unknown'),
): Replay {
  return {
    before: version,
    outcome: async (before) => ((await version()) === before ? 'not done' : look(before as number)),
  }
}
