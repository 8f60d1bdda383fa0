import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const NOW = Date.UTC(2026, 8, 10, 12)
const said: Readonly<Record<string, string>> = {
  'Bought the piano': '2026-03-18T09:00:00Z',
  'The gutter is leaking': '2025-07-20T09:00:00Z',
  'Watched the comet': '2025-12-24T20:00:00Z',
  'Ordered new curtains': '2026-09-09T08:00:00Z',
  'Fixed the bell': '2026-08-19T08:00:00Z',
  'Sold the lawnmower': '2023-05-02T08:00:00Z',
}

describe('[found-5] a date alone finds what was said then', () => {
  it.each([
    ['in March', 'Bought the piano'],
    ['im März', 'Bought the piano'],
    ['三月', 'Bought the piano'],
    ['18/03/2026', 'Bought the piano'],
    ['between 1 and 31 March', 'Bought the piano'],
    ['en mars 2026', 'Bought the piano'],
    ['в марте', 'Bought the piano'],
    ['in 2023', 'Sold the lawnmower'],
    ['Christmas Eve', 'Watched the comet'],
    ['on Wednesday', 'Ordered new curtains'],
    ['yesterday', 'Ordered new curtains'],
    ['ayer', 'Ordered new curtains'],
    ['вчера', 'Ordered new curtains'],
    ['last winter', 'Watched the comet'],
    ['el invierno pasado', 'Watched the comet'],
    ['what happened last month?', 'Fixed the bell'],
    ['в прошлом месяце', 'Fixed the bell'],
    ['上个月', 'Fixed the bell'],
    ['il y a trois semaines', 'Fixed the bell'],
    ['vor drei Wochen', 'Fixed the bell'],
    ['3주 전', 'Fixed the bell'],
    ['am 18.3.', 'Bought the piano'],
    ['el 18 de marzo de 2026', 'Bought the piano'],
    ['18 марта', 'Bought the piano'],
    ["Mart'ta", 'Bought the piano'],
    ['2026년 3월', 'Bought the piano'],
    ['last Wednesday', 'Ordered new curtains'],
    ['星期三', 'Ordered new curtains'],
    ['in summer 2025', 'The gutter is leaking'],
    ['去年夏天', 'The gutter is leaking'],
  ])('%s', async (question, expected) => {
    await using memory = await openMemory(':memory:', { clock: { now: () => NOW } as never, learn: false })
    const scope = memory.scope('a')
    for (const [index, [content, at]] of Object.entries(said).entries())
      await scope.session(`s${index}`).append({ role: 'user', content, at })
    const { items } = await scope.recall(question)
    expect(items[0]?.text).toBe(expected)
  })
})

describe('[found-5] the words of a date', () => {
  it('are not searched for', async () => {
    await using memory = await openMemory(':memory:', { clock: { now: () => NOW } as never, learn: false })
    const scope = memory.scope('a')
    await scope.session('old').append({ role: 'user', content: 'Two weeks ago is a song', at: '2020-01-01T00:00:00Z' })
    await scope.session('new').append({ role: 'user', content: 'Bought a kite', at: '2026-08-27T00:00:00Z' })
    expect((await scope.recall('two weeks ago')).items[0]?.text).toBe('Bought a kite')
  })

  it('find what was said about a month or a weekday, too', async () => {
    await using memory = await openMemory(':memory:', { clock: { now: () => NOW } as never, learn: false })
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', content: 'The exam is on Friday' },
      { role: 'user', content: 'The wedding is on 18 March' },
    ])
    expect((await scope.recall('what is on Friday?')).items[0]?.text).toBe('The exam is on Friday')
    expect((await scope.recall('what is on 18 March?')).items[0]?.text).toBe('The wedding is on 18 March')
  })
})

describe('[found-6] digits with blanks, dashes or without', () => {
  it.each([
    ['My IBAN is DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['My IBAN is DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    ['IBAN GB29 NWBK 6016 1331 9268 19 please', 'GB29NWBK60161331926819'],
    ['Call me: 0170-1234567', '+49 170 1234567'],
    ['Call me: +49 (170) 1234567', '01701234567'],
    ['The number is 555.123.4567', '555-123-4567'],
    ['Card 4111 1111 1111 1111', '4111111111111111'],
  ])('%s is found with %s', async (content, question) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', content: 'Account 12 and room 4111 are something else' },
      { role: 'user', content },
      { role: 'user', content: 'Call the office at 030 7654321' },
    ])
    expect((await scope.recall(question)).items[0]?.text).toBe(content)
  })
})
