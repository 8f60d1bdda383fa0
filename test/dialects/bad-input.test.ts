import { describe, expect, it } from 'vitest'
import { extractAction } from '../../src/domain/action.ts'
import type { Dialect } from '../../src/domain/dialect.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import type { LintOptions } from '../../src/dialects/options.ts'
import { repair } from '../../src/dialects/repair.ts'

function refusal(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

function misspelt(options: object): LintOptions {
  return options as LintOptions
}

describe.each(['opnai', '__proto__', 'constructor', '', 7, null, undefined])('the dialect %j', (name) => {
  const dialect = name as Dialect
  it.each([
    ['lint', () => lint([], dialect)],
    ['repair', () => repair([], dialect)],
    ['convert from', () => convert([], { from: dialect, to: 'openai' })],
    ['convert to', () => convert([], { from: 'openai', to: dialect })],
  ])('[show-6] is refused by %s', (_, call) => {
    expect(refusal(call)).toMatchObject({ name: 'MemoryError', code: 'input/invalid' })
  })
})

it('[show-6] says which dialect was probably meant', () => {
  expect(() => lint([], 'OpenAI' as Dialect)).toThrow(/did you mean "openai"\?/)
  expect(() => convert([], { from: 'anthropics' as Dialect, to: 'openai' })).toThrow(/did you mean "anthropic"\?/)
})

it.each([
  ['lint', () => lint([], 'openai', misspelt({ modle: 'gpt-5' })), 'model'],
  ['repair', () => repair([], 'openai', misspelt({ thinkin: true })), 'thinking'],
  ['convert', () => convert([], { from: 'openai', to: 'openai', ...misspelt({ blob: new Map() }) }), 'blobs'],
])('[show-6] %s refuses an unknown option and says which was probably meant', (_, call, meant) => {
  expect(refusal(call)).toMatchObject({ code: 'input/invalid', details: { meant } })
})

it.each([
  ['no options', () => Reflect.apply(convert, undefined, [[]])],
  ['null for options', () => Reflect.apply(lint, undefined, [[], 'openai', null])],
  ['a grade', () => lint([], 'openai', misspelt({ unconfirmed: 'off' }))],
  ['a model', () => lint([], 'openai', misspelt({ model: 5 }))],
  ['a switch', () => repair([], 'openai', misspelt({ store: 'no' }))],
  ['a profile', () => repair([], 'openai', misspelt({ profile: 'strict' }))],
  ['blobs', () => convert([], { from: 'openai', to: 'openai', ...misspelt({ blobs: {} }) })],
  ['no message', () => Reflect.apply(extractAction, undefined, [null])],
  ['a message without parts', () => Reflect.apply(extractAction, undefined, [{ role: 'assistant' }])],
])('[show-6] refuses %s of the wrong type', (_, call) => {
  expect(refusal(call)).toMatchObject({ name: 'MemoryError', code: 'input/invalid' })
})
