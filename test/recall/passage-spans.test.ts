import { expect, it } from 'vitest'
import { loadAnalyser } from '../../src/recall/analyser.ts'
import { cutPassages } from '../../src/recall/passage.ts'
import { PassageSpans } from '../../src/recall/passage-spans.ts'

it('[walls-242] passages of a text are found by reading it once', async () => {
  const plain = await loadAnalyser()
  let read = 0
  const analyser = {
    ...plain,
    tokens: (text: string) => {
      read += text.length
      return plain.tokens(text)
    },
  }
  const spans = new PassageSpans(analyser)
  const text = `${'The depot was closed all week, and nobody knew why. '.repeat(400)}${'x'.repeat(9_000)} and then it opened again.`
  const found = await spans.of('1 1 0', text)
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(
    cutPassages(plain, text).map((passage) => passage.text),
  )
  expect(found.length).toBeGreaterThan(50)
  const before = read
  expect(await spans.of('1 1 0', text)).toBe(found)
  expect(read).toBe(before)
  // Another revision is another text.
  expect(await spans.of('1 1 1', 'short')).toEqual([{ start: 0, end: 5 }])
  for (let nth = 0; nth < 300; nth++) await spans.of(`2 ${nth} 0`, 'short')
  await spans.of('1 1 0', text)
  expect(read).toBeGreaterThan(2 * before)
})

it('[walls-242] a long text without an end of a sentence is never cut inside a word', async () => {
  const text = Array.from({ length: 9_000 }, (_, nth) => `walrus${nth}`).join(' ')
  const passages = cutPassages(await loadAnalyser(), text)
  expect(passages.map((passage) => passage.text).join('')).toBe(text)
  expect(passages.flatMap((passage) => passage.text.trim().split(' '))).toEqual(text.split(' '))
})
