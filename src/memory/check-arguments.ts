import { refuse } from '../domain/refuse.ts'

/** Accepts a count of things to give back: a positive whole number. */
export function checkCount(attempt: string, option: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || Number(value) < 1) refuse(attempt, option, value, 'a positive whole number')
}

/** Accepts a position in the log: a whole number, 0 or greater. */
export function checkPosition(attempt: string, option: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    refuse(attempt, option, value, 'a sequence number: a whole number, 0 or greater')
}

export function checkFlag(attempt: string, option: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') refuse(attempt, option, value, 'true or false')
}
