import { refuse } from '../domain/refuse.ts'

/** Accepts a count of things to give back: a positive whole number. */
export function checkCount(attempt: string, option: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || Number(value) < 1) refuse(attempt, option, value, 'a positive whole number')
}
