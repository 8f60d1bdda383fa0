import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

/** Texts of what a question finds among messages that have nothing to do with it. */
async function found(said: readonly string[], question: string): Promise<readonly string[]> {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  const others = ['The invoice was paid on time', 'We painted the fence green', 'Our train was delayed again']
  for (const content of [...others, ...said]) await scope.session('s').append({ role: 'user', content })
  const { items } = await scope.recall(question, { kinds: ['message'] })
  return items.filter(({ why }) => why.words.length > 0).map(({ text }) => text)
}

describe('[found-1] the question of the README', () => {
  it('finds the message and the fact', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('acme/ada')
    await scope.session('s').append({ role: 'user', content: 'I live in Lisbon' })
    await memory.settled()
    const { items } = await scope.recall('where do I live?')
    expect(items.map(({ kind, text }) => [kind, text])).toEqual(
      expect.arrayContaining([
        ['message', 'I live in Lisbon'],
        ['fact', 'user lives in Lisbon'],
      ]),
    )
  })
})

describe('[found-2] a form of two words', () => {
  it.each([
    ['Ada lives in Porto', 'where does Ada live?'],
    ['Cats have nine lives', 'the life of cats'],
    ['She leaves on Monday', 'when will she leave?'],
    ['The leaves are falling', 'a leaf'],
    ['He gave me a rose', 'roses'],
    ['Prices rose again', 'did prices rise?'],
    ['I saw a heron', 'what did I see?'],
    ['The saw is in the shed', 'where is the saw?'],
    ['The dog bit him', 'did the dog bite?'],
    ['Only one bit is set', 'which bits are set?'],
    ['The organisation moved', 'organization'],
    ['We organized the files', 'who organised it?'],
    ['There are two criteria', 'criterion'],
    ['The colour is teal', 'color'],
  ])('%s is found with %s', async (said, question) => {
    expect(await found([said], question)).toContain(said)
  })
})

describe('[found-3] who asks', () => {
  it.each(['where do I live?', 'my address: live', 'wo lebe ich? live', 'tell me where I live'])(
    'is the user of the facts: %s',
    async (question) => {
      await using memory = await openMemory(':memory:')
      const scope = memory.scope('a')
      await scope.remember([
        { subject: 'Ada', predicate: 'lives in', object: 'Porto' },
        { subject: 'user', predicate: 'lives in', object: 'Lisbon' },
        { subject: 'Bob', predicate: 'lives in', object: 'Paris' },
      ])
      expect((await scope.recall(question)).items[0]?.text).toBe('user lives in Lisbon')
    },
  )
})

describe('[found-4] the script of a text decides its language', () => {
  it.each([
    ['Купил новые зимние шины', 'шина'],
    ['Красный чемодан потерялся', 'красная'],
    ['اشتريت السيارة الجديدة', 'سيارتي'],
    ['मैंने किताबें खरीदीं', 'किताब'],
    ['Αγόρασα καινούργιους υπολογιστές', 'υπολογιστής'],
    ['학교에서 친구를 만났다', '학교'],
    ['집에 우유가 없다', '우유를'],
    ['Köpeğim hastalandı', 'köpek'],
    ['Tegnap vettem ezt a két könyvet, de nem nekem', 'könyv'],
    ['Asuin silloin pienessä talossa ja se oli hyvin kylmä', 'talo'],
    ['Koupil jsem si novou knihu, ale už se mi nelíbí', 'kniha'],
    ['Am cumpărat cărțile ieri', 'carte'],
    ['Jeg har købt bøgerne i går', 'bøger'],
    ['நான் புத்தகங்கள் வாங்கினேன்', 'புத்தகம்'],
    ['Мой сервер Kubernetes упал, servers were down', 'server'],
  ])('%s is found with %s', async (said, question) => {
    expect(await found([said], question)).toContain(said)
  })
})
