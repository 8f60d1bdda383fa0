import { hash } from 'node:crypto'
import type { Pins } from '../../api/contexts.ts'
import type { Policy } from '../../api/policy.ts'

/** Which contexts share what was folded for one of them. */
export interface CallKind {
  /** Of the policy, the pins and the model. */
  readonly digest: string
  /** The budget without the reserve. A context uses folds that were made for at least its own room, and never those of a smaller one. */
  readonly room: number
}

/** Whose window to read: what everybody sees, or what contexts of a kind of call see. */
export type WindowOf = 'session' | CallKind

export interface CallSettings {
  readonly policy: Policy
  readonly pins: Pins
  readonly model: string | undefined
  /** A context that was asked to be smaller folds by force: others do not want that. */
  readonly shrink: boolean
}

export function callKind({ policy, pins, model, shrink }: CallSettings, room: number): CallKind {
  const { messages = [], tags = null, tools = [], exemptTools = [] } = pins
  const lists = [messages, tags, tools, exemptTools].map((list) => list?.toSorted() ?? null)
  return { digest: hash('sha256', JSON.stringify([policy, lists, model ?? null, shrink])).slice(0, 16), room }
}
