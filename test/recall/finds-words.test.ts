import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { loadAnalyser } from '../../src/recall/analyser.ts'
import { packs } from '../../src/recall/languages/index.ts'
import { times } from '../tier.ts'

const analyser = await loadAnalyser()

/** Each with enough stop words to be taken for its language. */
const spoken: Readonly<Record<string, readonly string[]>> = {
  english: ['She was running to the bakery with my brothers', 'The invoices are in the cupboard of the office'],
  german: [
    'Ich habe die Kündigung geschrieben und mit der Post geschickt',
    'Wir sind mit den Kindern nach Bremen gefahren',
  ],
  french: [
    'Je suis allé à la boulangerie avec ma sœur pour acheter des croissants',
    "Elle est dans un cours d'histoire de l'école à Marseille",
  ],
  spanish: [
    'El médico me dijo que tengo que tomar las pastillas por la mañana',
    'La reunión con los clientes es en la oficina de Barcelona',
  ],
  portuguese: [
    'Eu comprei os bilhetes para o concerto com a minha prima',
    'As chaves estão na gaveta do armário e não na mesa',
  ],
  italian: [
    'Il medico mi ha detto che devo prendere le pastiglie',
    "Sono arrivato con l'aereo e la valigia era nell'armadio",
  ],
  dutch: [
    'Ik heb de fietsen bij het station gezet en ze zijn er nog',
    'Wij hebben een afspraak met de tandarts in de ochtend',
  ],
  swedish: [
    'Jag har köpt biljetter till konserten och vi ska åka med tåget',
    'Hon var inte hemma när brevet kom från banken',
  ],
  russian: ['Я вчера был на даче с мальчиками и они ловили рыбу', 'Мой кот очень любит консервы и он спит на диване'],
  danish: ['Jeg har købt billetter til koncerten og vi skal med toget', 'Hun var ikke hjemme da brevet kom fra banken'],
  norwegian: [
    'Jeg hadde mye å gjøre, men dere har kjøpt billetter til meg',
    'Hva skal dere ha til middag, og hvem er det som lager den?',
  ],
  finnish: ['Minä olen ostanut liput konserttiin ja se on huomenna', 'Missä minun avaimet ovat, ne olivat tässä'],
  hungarian: ['Nem voltam otthon, amikor a levél megjött és ez az én hibám', 'Hol van a kulcs, és ki vitte el?'],
  romanian: [
    'Am cumpărat bilete pentru concert și sunt foarte fericit',
    'Unde este cheia mea și cine a luat telefonul?',
  ],
  czech: ['Koupil jsem lístky na koncert a už se těším', 'Kde je můj klíč a kdo ho má?'],
  turkish: ['Dün konser için iki bilet aldım ve çok mutluyum', 'Anahtarım nerede ve onu kim aldı?'],
  arabic: ['اشتريت تذكرتين للحفلة وأنا سعيد جدا', 'أين مفتاح سيارتي ومن أخذه؟'],
  hindi: ['मैंने संगीत कार्यक्रम के लिए दो टिकट खरीदे', 'मेरी चाबी कहाँ है और किसने ली?'],
  tamil: ['நான் இரண்டு டிக்கெட்டுகள் வாங்கினேன்', 'என் சாவி எங்கே?'],
  armenian: ['Ես երկու տոմս եմ գնել համերգի համար', 'Որտեղ է իմ բանալին'],
  greek: ['Αγόρασα δύο εισιτήρια για τη συναυλία', 'Πού είναι το κλειδί μου και ποιος το πήρε;'],
  korean: ['어제 콘서트 표를 두 장 샀다', '내 열쇠는 어디에 있지?'],
  thai: ['ฉันซื้อตั๋วคอนเสิร์ตสองใบเมื่อวาน', 'กุญแจรถของฉันอยู่ที่ไหน'],
  neutral: [
    'Mẹ tôi thích ăn phở vào buổi sáng',
    'Số điện thoại của tôi ở Hà Nội',
    'Wczoraj kupiłem książkę o żeglarstwie',
  ],
  chinese: ['我昨天在咖啡馆遇到了老朋友', '护照放在书房的抽屉里'],
  japanese: ['昨日カフェで古い友達に会いました', 'パスポートは机の引き出しにあります'],
}
const lines = Object.entries(spoken).flatMap(([language, texts]) => texts.map((text) => ({ language, text })))

async function found(messages: readonly string[], query: string): Promise<readonly string[]> {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('a')
  for (const content of messages) await scope.session('s').append({ role: 'user', content })
  return (await scope.recall(query, { kinds: ['message'] })).items.map(({ text }) => text)
}

describe('[recall-1] a word', () => {
  it.each(lines)('is read in $language: $text', ({ language, text }) => {
    expect(analyser.language(text, analyser.tokens(text)).name).toBe(language)
  })

  it('finds the message that has it, in every language, whatever else is there', { timeout: 60_000 }, async () => {
    expect(Object.keys(spoken).toSorted()).toEqual(
      [...packs.latin, ...packs.byScript.map(([, pack]) => pack), packs.chinese, packs.japanese, packs.neutral]
        .map(({ name }) => name)
        .toSorted(),
    )
    await using memory = await openMemory(':memory:')
    let scopes = 0
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: 1 }), async (some) => {
        const scope = memory.scope(`a${++scopes}`)
        await scope.session('s').append(some.map(({ text }) => ({ role: 'user' as const, content: text })))
        const [one] = some
        if (one === undefined) return
        const tokens = analyser.tokens(one.text)
        const language = analyser.language(one.text, tokens)
        for (const token of tokens) {
          if (token.kind === 'piece' || analyser.terms(token, language).length === 0) continue
          const { items } = await scope.recall(token.text, { limit: 50, kinds: ['message'] })
          expect(
            items.map(({ text }) => text),
            token.text,
          ).toContain(one.text)
        }
      }),
      { numRuns: times({ daily: 25, nightly: 500 }) },
    )
  })

  it.each([
    [['Ich habe die Kündigung geschrieben und mit der Post geschickt'], 'what about the Kündigung?'],
    [['Elle est dans un cours d’histoire'], 'histoire'],
    [["Elle est à l'école"], 'école'],
    [["Geçen hafta İzmir'de kaldık"], 'izmir'],
    [["We flew to Hawai'i"], 'Hawaii'],
    [["I don't like O'Brien's boat"], "O'Brien"],
    [['The box runs Windows Server 2019 now'], '2019'],
    [['Ada broke the vase'], 'Ada'],
  ])('%j is found with %s', async (messages, query) => {
    expect(await found(['Nothing of the kind.', ...messages], query)).toContain(messages[0])
  })

  it('that looks like a year still tells one thing from another', async () => {
    const messages = ['MySQL error 2013 lost connection', 'MySQL error 1045 denied', 'MySQL error 2006 gone away']
    expect((await found(messages, 'what about error 2013?'))[0]).toBe(messages[0])
  })

  it('that is the name of somebody who speaks is found where nothing else is asked for', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', name: 'Ada', content: 'Good morning everybody' },
      { role: 'user', name: 'Bob', content: 'Ada broke the vase' },
    ])
    for (const query of ['Ada', 'What did Ada do?'])
      expect((await scope.recall(query, { kinds: ['message'] })).items.map(({ text }) => text)).toContain(
        'Ada broke the vase',
      )
  })

  it('of a question behind a long paste is looked for', async () => {
    const tree = 'The kumquat tree stands in the south garden'
    for (const entries of [50, 450]) {
      const paste = Array.from({ length: entries }, (_, index) => `entry${index} passed`).join(' ')
      for (const query of [`${paste}\nWhere is the kumquat tree?`, `Where is the kumquat tree?\n${paste}`])
        expect(await found([tree], query)).toEqual([tree])
    }
  })
})

describe('[know-6] a message with two common words', () => {
  it('is found behind hundreds that have one of them each', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const both =
      'We should talk about what the walrus at the zoo ate last summer, when nobody was looking and a heron came down from the roof'
    const one = (content: string): { role: 'user'; content: string }[] =>
      Array.from({ length: 500 }, () => ({ role: 'user', content }))
    await scope.session('s').append({ role: 'user', content: both })
    await scope.session('t').append(one('walrus'))
    await scope.session('u').append(one('heron'))
    const { items } = await scope.recall('walrus heron', { kinds: ['message'] })
    expect(items[0]?.text).toBe(both)
  })

  it('is found where hundreds of sessions have a word once, as many as asked for', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    for (let index = 0; index < 150; index++)
      await scope.session(`s${index}`).append({ role: 'user', content: `walrus number ${index}` })
    expect((await scope.recall('walrus', { limit: 150, kinds: ['message'] })).items).toHaveLength(150)
  })
})
