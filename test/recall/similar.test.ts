import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const others = ['The invoice was paid on time', 'We painted the fence green', 'Our train was delayed again']

describe('[found-7] a word of the question that occurs nowhere', () => {
  it.each([
    ['My dentist is called Okafor', 'dentsit'],
    ['The restaurant by the river closed', 'restarant'],
    ['I have an appointment on Friday', 'apointment'],
    ['Der Mietvertrag liegt im Schrank', 'Vertrag'],
    ['Meine Krankenversicherung ist teuer', 'Versicherung'],
    ['Vettük a könyveket tegnap', 'könyv'],
    ['Randevusu yarın', 'randevu'],
    ['العقد في الدرج', 'العقود'],
    ['هي تزرع القمح', 'يزرع'],
    ['Der Wasserrohrbruch war teuer', 'was ist mit dem Rohr?'],
  ])('is looked up in the vocabulary: %s with %s', async (content, question) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (const text of [...others, content]) await scope.session('s').append({ role: 'user', content: text })
    const [first] = (await scope.recall(question)).items
    expect(first?.text).toBe(content)
    expect(first?.why.words[0]?.similar).toBeDefined()
  })

  it('is looked up for a context too, where the message that asks is stored', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'My dentist is called Okafor' })
    await scope.session('now').append({ role: 'user', content: 'What is my dentsit called?' })
    const { recalled } = await scope.session('now').context({ budget: 4_000, recall: true })
    expect(recalled[0]?.text).toBe('My dentist is called Okafor')
    expect(recalled[0]?.why.words.find(({ word }) => word === 'dentsit')?.similar).toEqual(['dentist'])
  })

  it('is not taken for another short word, such as hour for the stem of housing', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (const content of [...others, 'The housing office is closed', 'Tom likes wool'])
      await scope.session('s').append({ role: 'user', content })
    for (const question of ['hour', 'pool']) expect((await scope.recall(question)).items).toEqual([])
    expect((await scope.recall('woool')).items[0]?.text).toBe('Tom likes wool')
  })

  it('is not taken for a stem that it has in another language, as planets has plan in Danish', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (const content of [...others, 'I plan a trip to Kyoto'])
      await scope.session('s').append({ role: 'user', content })
    for (const question of ['List the planets', 'How many planets are there?'])
      expect((await scope.recall(question, { relevant: true })).items).toEqual([])
  })

  it('is not where it occurs', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (const content of ['The cats sleep', 'The dentist called', 'The dentists met'])
      await scope.session('s').append({ role: 'user', content })
    const { items } = await scope.recall('dentist')
    expect(items.every(({ why }) => why.words.every(({ similar }) => similar === undefined))).toBe(true)
  })
})

describe('[found-14] a part of a compound', () => {
  it('finds the whole also where the part occurs by itself, after that', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const said = ['Der Hausarzt hat angerufen', 'Ein Arzt war im Zug', 'Wir haben den Zaun gestrichen']
    for (const content of [...others, ...said]) await scope.session('s').append({ role: 'user', content })
    const { items } = await scope.recall('Was ist mit dem Arzt?')
    expect(items.slice(0, 2).map(({ text }) => text)).toEqual([said[1], said[0]])
    expect(items.slice(0, 2).map(({ why }) => why.words[0]?.similar)).toEqual([undefined, ['hausarzt']])
  })

  it.each([
    ['Der Mietvertrag für das Atelier', 'Wo ist der Vertrag?'],
    ['De ziektekostenverzekering is duur', 'Hoe duur is de verzekering van de ziekte?'],
    ['Jag har bokat en tandläkartid', 'När är min tid hos tandläkaren?'],
    ['Wir haben die Dachrinne gereinigt', 'Was ist mit der Rinne?'],
  ])('%s is found with %s', async (content, question) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (const text of [...others, content]) await scope.session('s').append({ role: 'user', content: text })
    expect((await scope.recall(question)).items[0]?.text).toBe(content)
  })
})
