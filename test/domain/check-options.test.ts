import { expect, it } from 'vitest'
import { nearest } from '../../src/domain/check-options.ts'

it('[show-6] guesses the name that was probably meant', () => {
  const known = ['limit', 'before', 'after', 'operationId', 'keepSystem']
  expect(nearest('limt', known)).toBe('limit')
  expect(nearest('operation_id', known)).toBe('operationId')
  expect(nearest('KEEP-SYSTEM', known)).toBe('keepSystem')
  expect(nearest('afters', known)).toBe('after')
  expect(nearest('limti', known)).toBe('limit')
  expect(nearest('aftre', known)).toBe('after')
  expect(nearest('colour', known)).toBeUndefined()
  expect(nearest('x'.repeat(100_000), known)).toBeUndefined()
})
