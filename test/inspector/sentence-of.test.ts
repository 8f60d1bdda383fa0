import { expect, it } from 'vitest'
import { sentenceOf } from '../../src/inspector/parts/sentence-of.ts'

it.each([
  ['Ada', 'allergic_to', 'Ada allergic to peanuts', 'Ada is allergic to peanuts.'],
  ['Ada', 'order_number', 'Ada order number 7731', 'Ada’s order number is 7731.'],
  ['Ada', 'lives_in', 'Ada lives in Lisbon', 'Ada lives in Lisbon.'],
  ['Ada', 'prefers', 'Ada prefers a window seat', 'Ada prefers a window seat.'],
  ['ada', 'likes', 'ada likes tea!', 'Ada likes tea!'],
  [null, 'note', 'the office is closed on Fridays', 'The office is closed on Fridays.'],
])('[inspector-9] %s %s is said as a sentence', (subject, predicate, text, sentence) => {
  expect(sentenceOf({ subject, predicate, text })).toBe(sentence)
})
