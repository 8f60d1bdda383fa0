import { describe, expect, it } from 'vitest'
import { type Analyser, loadAnalyser } from '../../src/recall/analyser.ts'
import { cutPassages } from '../../src/recall/passage.ts'

const analyser: Analyser = await loadAnalyser()

function terms(text: string): readonly string[] {
  return cutPassages(analyser, text).flatMap((passage) => [...passage.terms.keys()])
}

function language(text: string): string {
  return analyser.language(text, analyser.tokens(text)).name
}

describe('[recall-1] the analyser', () => {
  it.each([
    ['We went to the houses', ['go', 'hous']],
    ["Ada's children were running", ['ada', 'child', 'run']],
    ['café CAFÉ cafe\u0301', ['cafe']],
    ['ﬁne Straße', ['fin', 'strass']],
    ['getUserById', ['getuserbyid', 'user', 'id']],
    ['snake_case_name', ['snake', 'case', 'name', 'snake_case_name']],
    ['ERR-7731', ['err', '7731', 'err-7731']],
    ['src/log/append.ts', ['src', 'log', 'append', 'ts', 'src/log/append.ts']],
    ['ada@example.com', ['ada', 'exampl', 'com', 'ada@example.com']],
    ['v1.2.3', ['v1', '2', '3', 'v1.2.3']],
    ['用Python写', ['写', '用', 'python']],
    ['🦄', ['🦄']],
    ['', []],
    ['... --- !!!', []],
  ])('reads %j', (text, expected) => {
    expect([...terms(text)].toSorted()).toEqual([...expected].toSorted())
  })

  it('takes a stop word that is written as a name for a name', () => {
    expect(terms('Yesterday I met Will and May')).toEqual(expect.arrayContaining(['will', 'may']))
    expect(terms('Will it rain? It may.')).not.toContain('will')
  })

  it('finds a word of Chinese also where the dictionary parts it otherwise', () => {
    const inside = terms('我昨天在咖啡馆遇到了老朋友')
    for (const term of terms('咖啡馆')) expect(inside).toContain(term)
  })

  it.each([
    ['The weather is nice and we are happy', 'english'],
    ['Das Wetter ist schön und wir sind froh', 'german'],
    ['Le temps est beau et nous sommes contents', 'french'],
    ['El tiempo es bueno y yo estoy con ellos', 'spanish'],
    ['Погода хорошая, и мы очень рады', 'russian'],
    ['天气很好', 'chinese'],
    ['天気がいいです', 'japanese'],
    ['Pizza margherita', 'english'],
    ['שלום עולם', 'neutral'],
  ])('takes %j for %s', (text, expected) => {
    expect(language(text)).toBe(expected)
  })

  it('cuts passages of at most about 60 words at the ends of sentences', () => {
    const text = Array.from(
      { length: 20 },
      (_, index) => `Sentence number ${index} has exactly eight words here.`,
    ).join(' ')
    const passages = cutPassages(analyser, text)
    expect(passages.length).toBeGreaterThan(1)
    for (const passage of passages) {
      expect(passage.length).toBeLessThanOrEqual(60)
      expect(passage.text.trim()).toMatch(/\.$/)
    }
    expect(passages.map((passage) => passage.text).join('')).toBe(text)
  })

  it.each(['a', 'a ', '. ', '字', '"', 'a.', '\n', 'in ', 'aA', "a'", '1a', 'ア', '\u0301', '\ud800', 'x-'])(
    'reads a very long run of %j',
    (piece) => {
      const passages = cutPassages(analyser, piece.repeat(200_000 / piece.length))
      expect(passages.length).toBeLessThanOrEqual(1_002)
    },
  )
})
