import type { RecallKind } from '../api/recall.ts'
import { recallKinds } from '../ports/recall-store.ts'

/** A message's passages follow one another; more than a million in one message is beyond its size limit. */
const PASSAGES_PER_SEQ = 2 ** 20

/** The conversation of a passage: a session's messages, its folds, or a scope's facts. */
export function threadOf(kind: RecallKind, key: number): number {
  return key * 4 + recallKinds[kind]
}

export function placeOf(seq: number, index: number): number {
  return seq * PASSAGES_PER_SEQ + index
}

export function seqOf(place: number): number {
  return Math.floor(place / PASSAGES_PER_SEQ)
}

export function indexOf(place: number): number {
  return place % PASSAGES_PER_SEQ
}

/** Every place of messages from one through another. */
export function placesOf(from: number, through: number): { readonly from: number; readonly through: number } {
  return { from: placeOf(from, 0), through: placeOf(through + 1, 0) - 1 }
}
