import { refuse } from '../domain/refuse.ts'

/** Accepts a count of things to give back: a positive whole number. */
export function checkCount(attempt: string, option: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || Number(value) < 1) refuse(attempt, option, value, 'a positive whole number')
}

/** Accepts a time to wait: whole milliseconds, as many as a timer takes. */
export function checkWait(attempt: string, option: string, value: unknown): asserts value is number {
  if (!Number.isSafeInteger(value) || Number(value) < 0 || Number(value) >= 2 ** 31)
    refuse(attempt, option, value, 'whole milliseconds, 0 or greater')
}

export function checkFlag(attempt: string, option: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') refuse(attempt, option, value, 'true or false')
}
