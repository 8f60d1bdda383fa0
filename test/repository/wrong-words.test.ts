import { expect, it } from 'vitest'

import { wrongWords } from '../../scripts/wrong-words.ts'

it.each([
  ['It is derived anew.', 'anew'],
  ['Nothing is is lost.', 'is is'],
  ['We recieve messages.', 'recieve'],
  ['One JSON document a line.', 'document a line'],
  ['It is no file.', 'is no file'],
  ['There is a session of that id.', 'of that id'],
  ['The import was cut short.', 'cut short'],
  ['It is not stored any more.', 'not stored any more'],
  ['The result stands behind the call.', 'stands behind'],
  ['Pass a scope, as `acme/ada`.', ', as `…`.'],
])('[words-17] finds what we do not write: %s', (text, words) => {
  expect(wrongWords(`First line.\n${text}`)).toMatchObject([{ line: 2, words }])
})

it('[words-17] does not look at code', () => {
  expect(wrongWords('Call `anew()`.\n\n```ts\n// derived anew\n```\n')).toEqual([])
})
