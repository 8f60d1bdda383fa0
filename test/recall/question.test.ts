import { describe, expect, it } from 'vitest'
import { loadAnalyser } from '../../src/recall/analyser.ts'
import { dateScore, datesIn } from '../../src/recall/question-dates.ts'
import { readQuestion } from '../../src/recall/read-question.ts'
import { relativeDates } from '../../src/recall/relative-dates.ts'

const analyser = await loadAnalyser()
const speakers = ['nora', 'theo park', 'theo lind', 'mia wong']

function read(question: string): ReturnType<typeof readQuestion> {
  return readQuestion(analyser, question, { speakers, now: Date.UTC(2026, 2, 20, 12) })
}

function spans(question: string): readonly string[] {
  return datesIn(question).map(({ grain, yearly, from, to }) => {
    const day = (time: number): string => new Date(time).toISOString().slice(yearly ? 5 : 0, 10)
    return `${grain} ${day(from)}..${day(to - 1)}`
  })
}

describe('a question', () => {
  it('[recall-2] is read with the code that reads messages; names of speakers and stop words go', () => {
    const { concepts, speaker } = read("What kind of houses has Nora's brother bought?")
    expect(concepts.map(({ word, weight }) => [word, weight])).toEqual([
      ['kind', 0.5],
      ['houses', 1],
      ['brother', 1],
      ['bought', 1],
    ])
    expect(concepts.map(({ forms }) => forms[0])).toEqual(['kind', 'hous', 'brother', 'buy'])
    expect(speaker).toEqual({ name: 'nora' })
  })

  it.each([
    ['What did Nora and Mia Wong do?', undefined],
    ['What did Mia say?', { name: 'mia wong' }],
    ['What did Theo say?', undefined],
    ['Where did I park my car?', { role: 'user' }],
    ['What did you recommend?', { role: 'assistant' }],
    ['Can you tell me where my car is?', { role: 'user' }],
    ['Wo habe ich mein Auto geparkt?', { role: 'user' }],
    ['What is the capital?', undefined],
  ])('[recall-4] %s is about %j', (question, expected) => {
    expect(read(question).speaker).toEqual(expected)
  })

  it.each([
    ['When did she leave?', undefined, true],
    ['How long did it take?', 'duration', false],
    ['How many dogs are there?', 'count', false],
    ['Where is it?', 'where', false],
    ['Who came?', 'who', false],
    ['Why did it fail?', 'why', false],
    ['What is the name of the book?', 'title', false],
    ['Wie viele Hunde gibt es?', 'count', false],
    ['为什么学西班牙语？', 'why', false],
    ['いつ行きますか？', undefined, true],
    ['Tell me more', undefined, false],
  ])('[recall-5] %s asks for %s', (question, asked, when) => {
    expect(read(question)).toMatchObject({ asked, when })
  })

  it.each([
    ['on 8 May, 2023', ['day 2023-05-08..2023-05-08']],
    ['on May 8th 2023', ['day 2023-05-08..2023-05-08']],
    ['on the 8th of May', ['day 05-08..05-08']],
    ['on 2023-05-08', ['day 2023-05-08..2023-05-08']],
    ['am 8. Mai 2023', ['day 2023-05-08..2023-05-08']],
    ['am 8.5.2023', ['day 2023-05-08..2023-05-08']],
    ['2023年5月8日', ['day 2023-05-08..2023-05-08']],
    ['in June 2023', ['month 2023-06-01..2023-06-30']],
    ['in June', ['month 06-01..06-30']],
    ['summer of 2022', ['season 2022-06-01..2022-08-31']],
    ['in 2021', ['year 2021-01-01..2021-12-31']],
    ['between August 11 and August 15 2023', ['day 2023-08-15..2023-08-15', 'day 08-11..08-11']],
    ['may I march on?', []],
    ['on February 99', []],
  ])('[recall-3] %s', (question, expected) => {
    expect([...spans(question)].toSorted()).toEqual([...expected].toSorted())
  })

  it.each([
    ['what happened yesterday?', 'day 2026-03-19..2026-03-19'],
    ['what did we do two weeks ago?', 'month 2026-03-02..2026-03-08'],
    ['what did we do last month?', 'month 2026-02-01..2026-02-28'],
    ['was war gestern?', 'day 2026-03-19..2026-03-19'],
    ['昨天说了什么？', 'day 2026-03-19..2026-03-19'],
  ])('[recall-3] %s, asked on 20 March 2026', (question, expected) => {
    const found = relativeDates(question, Date.UTC(2026, 2, 20, 12))
    const spoken = found.map(
      ({ grain, from, to }) =>
        `${grain} ${new Date(from).toISOString().slice(0, 10)}..${new Date(to - 1).toISOString().slice(0, 10)}`,
    )
    expect(spoken).toEqual([expected])
  })

  it('fits a day best on it, then after it, then before it', () => {
    const dates = datesIn('on 8 May 2023')
    const at = (day: number): number => dateScore(dates, Date.UTC(2023, 4, day, 12))
    expect(at(8)).toBe(1)
    expect(at(9)).toBeGreaterThan(at(7))
    expect(at(9)).toBeGreaterThan(at(12))
    expect(at(30)).toBeLessThan(0.1)
  })
})
