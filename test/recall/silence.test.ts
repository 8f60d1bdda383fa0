import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { isRecalled } from '../../src/domain/recalled.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Scope } from '../../src/api/scope.ts'
import { estimator } from '../../src/tokens/estimate.ts'
import { longTermMemory } from '../../src/tools/long-term-memory.ts'
import * as others from '../fixtures/silence.ts'
import * as chats from '../fixtures/silence-chats.ts'
import * as later from '../fixtures/silence-later.ts'

/** Four conversations of different kinds, each with nothing about what the prompts ask. */
const stores: Readonly<Record<string, readonly string[]>> = {
  household: [
    'My daughter Ines started at the music school in Porto',
    'We sold the old boat last summer and the new one is called Gaivota',
    'The plumber comes on Thursday to repair the boiler',
    'I am allergic to peanuts, so no satay please',
    'Grandma moved into the flat above the bakery',
    'Good morning! The dentist cancelled again',
  ],
  project: [
    'We decided to drop Redis and keep sessions in PostgreSQL',
    'The deploy failed because the migration took a lock on orders',
    'Use named exports in this repository, never default exports',
    'The staging server is called heron and runs Debian',
    'Ticket PAY-812 is about refunds that are booked twice',
    'Thanks, the build is green again',
  ],
  travel: [
    'Our flight to Reykjavik leaves at six from gate B12',
    'The hotel in Akureyri has no lift, so pack light',
    'I lost my passport in the ferry terminal',
    'The rental car is a white Dacia with a roof box',
    'We want to see puffins on the Westman Islands',
  ],
  german: [
    'Die Kündigung der Wohnung liegt beim Anwalt in Bremen',
    'Meine Schwester heiratet im Juni auf einem Weingut',
    'Der Mietvertrag für das Atelier läuft bis Dezember',
    'Guten Morgen, der Zahnarzt hat angerufen',
    'Ich fahre am Wochenende mit dem Fahrrad an die Weser',
  ],
}

const offTopic: readonly string[] = [
  'What is 17 * 23?',
  'ok thanks',
  'Translate good morning',
  'Tell me a joke',
  'What is the capital of Peru?',
  'Convert 5 miles to kilometres',
  'How do I boil an egg?',
  'Explain recursion in simple terms',
  'Write a Python function that reverses a string',
  'Who painted the Mona Lisa?',
  'Give me a synonym for happy',
  'Summarise the plot of Hamlet',
  'What is photosynthesis?',
  'hello',
  'good night',
  'Fix the grammar: she go to school',
  'sounds good',
  'yes please',
  'Can you help me?',
  'Is 91 a prime number?',
  'How tall is Mount Everest?',
  'Define serendipity',
  'continue',
  'Make it shorter',
  'Show me an example',
  'Sort these numbers: 5, 3, 9, 1',
  "What's 15% of 80?",
  'Was ist die Hauptstadt von Italien?',
  'Übersetze "guten Abend" ins Englische',
  '你好',
  'Как приготовить борщ?',
  'Why is the sky blue?',
  'What does HTTP 404 mean?',
  'Write a birthday poem',
  'Say something nice',
  'Count to ten',
  'What is the meaning of life?',
  'Raconte-moi une blague',
  '👍',
  'Draft a short apology to a customer',
]

async function fill(scope: Scope, said: readonly string[]): Promise<void> {
  await scope.session('earlier').append(
    said.map((line) => {
      const reply = line.split('assistant: ')[1]
      return reply === undefined
        ? { role: 'user' as const, content: line }
        : { role: 'assistant' as const, content: reply }
    }),
  )
}

async function blockOf(scope: Scope, prompt: string): Promise<string> {
  const chat = scope.session('now')
  await chat.append({ role: 'user', content: prompt })
  const { messages } = await chat.context({ budget: 8_000, recall: true })
  const block = messages.find((message) => isRecalled(message))
  await chat.clear()
  return block === undefined ? '' : JSON.stringify(block.parts)
}

describe('[found-10] a prompt on which nothing stored bears', () => {
  it.each(Object.keys(stores))('adds no token to the context: %s', async (name) => {
    expect(offTopic).toHaveLength(40)
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await fill(scope, stores[name] ?? [])
    await memory.settled()
    const longTerm = longTermMemory(scope, { session: 'other' })
    const loud: string[] = []
    for (const prompt of offTopic) {
      if ((await blockOf(scope, prompt)) !== '') loud.push(`context: ${prompt}`)
      if ((await longTerm.retrieve(prompt)) !== '') loud.push(`augment: ${prompt}`)
    }
    expect(loud).toEqual([])
  })

  it.each([
    ['household', 'What is the boat called?', 'Gaivota'],
    ['household', 'Which foods can I not eat? I am allergic', 'peanuts'],
    ['household', 'When does the plumber come?', 'Thursday'],
    ['project', 'Why did the deploy fail?', 'lock on orders'],
    ['project', 'what did we decide about Redis?', 'PostgreSQL'],
    ['project', 'PAY-812', 'refunds'],
    ['travel', 'Where did I lose my passport?', 'ferry terminal'],
    ['travel', 'Which gate is our flight?', 'B12'],
    ['german', 'Wo ist die Kündigung?', 'Anwalt'],
    ['german', 'Wann heiratet meine Schwester?', 'Weingut'],
    ['german', 'Wo liegt der Vertrag?', 'Dezember'],
    ['travel', 'Where is my pasport?', 'ferry terminal'],
    ['travel', 'What kind of car do we have?', 'Dacia'],
    ['household', 'What does my daughter want to learn? music?', 'Porto'],
    ['project', 'Which database has the sessions?', 'PostgreSQL'],
    ['project', 'Which branch has the failed deploy?', 'lock on orders'],
  ])('is not like one that asks for it: %s, %s', async (name, prompt, expected) => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await fill(scope, stores[name] ?? [])
    expect(await blockOf(scope, prompt)).toContain(expected)
  })

  it.each([
    ['What happened to the story about the lighthouse keeper?', 'rejected'],
    ['When is the essay on beekeeping due?', 'Friday'],
    ['¿A quién le gusta el cuento del dragón?', 'hija'],
    ['Wer mag das Märchen vom Fischer?', 'Tochter'],
    ['Who is Dag?', 'plumber'],
    ['Who is Mille?', 'cat'],
    ['VAT number', 'DE123456'],
  ])(
    'is not like one that asks for a story that was told, or for a name that greets elsewhere: %s',
    async (prompt, expected) => {
      await using memory = await openMemory(':memory:')
      const scope = memory.scope('a')
      await fill(scope, [
        'The editor rejected the story about the lighthouse keeper',
        'The essay on beekeeping is due on Friday',
        'El cuento del dragón le gusta a mi hija',
        'Meine Tochter mag das Märchen vom Fischer',
        'Dag is the new plumber, he fixed the sink',
        'Mille is the name of our cat',
        'Our VAT number is DE123456',
      ])
      expect(await blockOf(scope, prompt)).toContain(expected)
    },
  )

  it.each(
    [others, later, chats].flatMap((fixture) =>
      Object.entries(fixture.stores).map(([name, said]) => ({ name, said, fixture })),
    ),
  )('adds none where others asked for such things before: $name', async ({ name, said, fixture }) => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await fill(scope, said)
    await memory.settled()
    const wrong: string[] = []
    for (const prompt of fixture.offTopic) if ((await blockOf(scope, prompt)) !== '') wrong.push(`loud: ${prompt}`)
    for (const [store, question, answer] of fixture.onTopic)
      if (store === name && !(await blockOf(scope, question)).includes(answer)) wrong.push(`not found: ${question}`)
    expect(wrong).toEqual([])
  })

  it('is searched for nothing without a content word', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await fill(scope, ['It is what it is', 'Then they were there'])
    for (const prompt of ['what is it?', 'and then?', '???'])
      expect((await scope.recall(prompt, { explain: true })).items).toEqual([])
  })
})

describe('[found-11] a system prompt', () => {
  it('is recalled only where `roles` asks for it', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    for (const name of ['a', 'b', 'c', 'd'])
      await scope.session(name).append([
        {
          role: 'system',
          content: `You are a gardening assistant. Talk about roses and garden tools. Session ${name}`,
        },
        { role: 'user', content: `My garden has ${name} roses` },
      ])
    const { items } = await scope.recall('roses in the garden')
    expect(items.map(({ speaker }) => speaker)).toEqual(['user', 'user', 'user', 'user'])
    const asked = await scope.recall('roses in the garden', { roles: ['system'] })
    expect(new Set(asked.items.map(({ speaker }) => speaker))).toEqual(new Set(['system']))
    expect(await blockOf(scope, 'roses in my garden')).not.toContain('assistant. Talk')
  })
})

describe('[found-12] a recalled block', () => {
  const said: readonly NewMessage[] = [
    { role: 'user', name: 'Ada', content: 'The boat is called Gaivota', at: '2026-03-01T10:15:30.123Z' },
    { role: 'assistant', content: 'A boat like this one needs a survey by an expert each and every year' },
    { role: 'user', name: 'Ada', content: 'The boat lies in the harbour of Porto near the old lighthouse' },
    { role: 'user', name: 'Ada', content: 'We painted the boat white last spring with my brother' },
    { role: 'user', name: 'Ada', content: 'The boat has two sails, and the larger one has a tear' },
    { role: 'user', name: 'Ada', content: 'Bob from the sailing club wants to buy the boat' },
    { role: 'user', name: 'Ada', content: 'The boat is nine metres long and sleeps four people' },
    { role: 'user', name: 'Ada', content: 'The engine of the boat is old but it runs well' },
  ]

  const more: readonly NewMessage[] = [
    'My uncle built the boat himself in a shed behind the house',
    'The survey of the boat found a crack under the waterline',
    'Ines learned to swim when she fell off the boat in June',
    'The insurance for the boat costs four hundred a year',
    'We keep the papers of the boat in the kitchen drawer',
    'A gull lives on the boat and the children feed it',
    'The boat won the small regatta two years ago',
    'Nobody may smoke on the boat, not even the owner',
  ].map((content) => ({ role: 'user', name: 'Ada', content }))

  it('costs at most twice its text, says who spoke, and its ids can be reopened', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await scope.session('support-42').append(said)
    await scope.session('support-43').append(more)
    const longTerm = longTermMemory(scope, { session: 'now' })
    const block = await longTerm.retrieve('Tell me about our boat')
    const { count } = estimator()
    const text = [...said, ...more].reduce((sum, { content }) => sum + count(String(content)), 0)
    expect(block).toContain('2026-03-01 support-42\n#1 10:15 Ada "The boat is called Gaivota"')
    expect(block).toMatch(/^#2 \d\d:\d\d assistant /m)
    expect(count(block)).toBeLessThanOrEqual(2 * text)
    const reopen = longTerm.tools().find(({ name }) => name === 'reopen')
    expect(await reopen?.execute({ fold: 'support-42#1' })).toContain('Gaivota')
    expect(await reopen?.execute({ fold: 'support-42#99' })).toMatch(/^There is no message 99/)
  })

  it('shows a fact when it was said, and not beside the message it came from', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'I live in Lisbon', at: '2024-05-06T07:08:09.000Z' })
    await memory.settled()
    const { items } = await scope.recall('where do I live?')
    expect(items.find(({ kind }) => kind === 'fact')?.at).toBe('2024-05-06T07:08:09.000Z')
    const { items: once } = await scope.recall('where do I live?', { relevant: true })
    expect(once.map(({ kind }) => kind)).toEqual(['message'])
    const { items: facts } = await scope.recall('where do I live?', { relevant: true, kinds: ['fact'] })
    expect(facts).toHaveLength(1)
  })
})

describe('[found-13] a small memory', () => {
  it('is not filled up with neighbours that share nothing with the question', async () => {
    await using memory = await openMemory(':memory:')
    const scope = memory.scope('a')
    await fill(scope, stores['travel'] ?? [])
    const { items } = await scope.recall('Where did I lose my passport?', { relevant: true })
    expect(items.map(({ text }) => text)).toEqual(['I lost my passport in the ferry terminal'])
  })
})
