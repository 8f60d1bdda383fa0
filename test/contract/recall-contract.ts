import { describe, expect, it } from 'vitest'
import { RECALLED } from '../../src/domain/recalled.ts'
import type { Recalled } from '../../src/api/recall.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const DAY_MS = 86_400_000

function found({ items }: Recalled): readonly string[] {
  return items.map(({ text }) => text)
}

/** Recall: what is found, where from, and why; whatever store is behind it. */
export function testRecall(open: OpenSubject): void {
  describe('recall', () => {
    testFinding(open)
    testChanges(open)
    testOptions(open)
    testTime(open)
  })
}

function testFinding(open: OpenSubject): void {
  it('[recall-7] finds a message of another session, with source, trust, time and reasons', async () => {
    await using memory = await open({ clock: new ManualClock() })
    const scope = memory.scope('acme/ada')
    const [stored] = await scope
      .session('monday')
      .append({ role: 'user', name: 'Ada', content: 'My parcel 7731 went to Lisbon.' })
    await scope.session('tuesday').append({ role: 'assistant', content: 'The weather is fine.' })
    const { items, dropped } = await scope.recall('Where did the parcel go?')
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      kind: 'message',
      text: 'My parcel 7731 went to Lisbon.',
      speaker: 'Ada',
      trust: 2,
      at: stored?.at,
      source: { scope: 'acme/ada', session: 'monday', seq: 1, id: stored?.id },
      why: { words: [{ word: 'parcel' }, { word: 'go' }], asked: 'where' },
    })
    expect(items[0]?.why.signals.words).toBeGreaterThan(0)
    expect(dropped).toEqual([])
  })

  it('[recall-1] finds stems, accents, identifiers whole and in pieces, and words of scripts without spaces', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const texts = [
      'She was organising the gardens in Málaga.',
      'Call getUserById before saveOrder.',
      'The file src/log/append.ts failed with ERR-7731.',
      '我在咖啡馆遇到了老朋友。',
      'ฉันชอบกินข้าวผัดกุ้ง',
      'Wir haben die Häuser am Fluss besichtigt.',
    ]
    for (const [index, content] of texts.entries()) await scope.session(`s${index}`).append({ role: 'user', content })
    const asked: readonly (readonly [string, number])[] = [
      ['organise a garden', 0],
      ['malaga', 0],
      ['getuserbyid', 1],
      ['user', 1],
      ['append.ts', 2],
      ['src/log/append.ts', 2],
      ['err-7731', 2],
      ['7731', 2],
      ['咖啡馆', 3],
      ['ข้าวผัด', 4],
      ['Haus am Fluss', 5],
    ]
    for (const [query, index] of asked) expect(found(await scope.recall(query))[0], query).toBe(texts[index])
  })

  it('[recall-4] ranks a reply to the question asked above a mere mention', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', content: 'I saw a documentary about a violin maker on the train.' },
      { role: 'assistant', content: 'Nice. By the way, the meeting is moved.' },
      { role: 'user', content: 'Fine with me. The weather was awful.' },
      { role: 'assistant', content: 'Which instrument did your sister choose?' },
      { role: 'user', content: 'The violin, after a long search.' },
    ])
    const { items } = await scope.recall('Which instrument did the sister choose, the violin?')
    const reply = items.findIndex(({ text }) => text.startsWith('The violin'))
    expect(reply).toBeLessThan(items.findIndex(({ text }) => text.includes('documentary')))
    expect(items[reply]?.why).toMatchObject({ answers: true, words: [{ word: 'violin' }] })
    expect(items[reply]?.why.nearby).toContain('sister')
  })

  it('[recall-4] prefers what the person said whom the question is about', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', name: 'Nora', content: 'I adopted a kitten from the shelter.' },
      { role: 'user', name: 'Theo', content: 'I adopted a puppy from the shelter.' },
    ])
    expect(found(await scope.recall('What did Theo adopt from the shelter?'))[0]).toContain('puppy')
    expect(found(await scope.recall('What did Nora adopt from the shelter?'))[0]).toContain('kitten')
  })

  it('[recall-10] answers any string, and an empty one with nothing', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'Quotes " and operators NEAR(a b) * are fine.' })
    for (const query of [
      '',
      '   ',
      '"',
      '" OR 1=1 --',
      'NEAR(',
      '*',
      'a* AND -b',
      '🦄',
      '\0',
      '\ud800',
      '%',
      "'; DROP TABLE messages; --",
      'x '.repeat(4_000),
    ])
      await expect(scope.recall(query), JSON.stringify(query.slice(0, 20))).resolves.toMatchObject({ dropped: [] })
    expect((await scope.recall('')).items).toEqual([])
    await expect(scope.recall('x '.repeat(4_001))).rejects.toMatchObject({ code: 'input/invalid' })
    expect(found(await scope.recall('operators'))).toHaveLength(1)
    await expect(memory.scope('nobody').recall('anything')).resolves.toEqual({ items: [], dropped: [] })
  })

  it('[recall-6] [walls-5] a scope finds its own messages, those of its ancestors on request, never those of a sibling or a child', async () => {
    await using memory = await open()
    const paths = ['acme', 'acme/ada', 'acme/ada/helper', 'acme/bob', 'acme/adam']
    for (const path of paths)
      await memory
        .scope(path)
        .session('s')
        .append({ role: 'user', content: `The secret word of ${path} is plum.` })
    const seen = async (path: string, ancestors?: boolean): Promise<readonly string[]> => {
      const { items } = await memory
        .scope(path)
        .recall('secret plum', { limit: 50, ...(ancestors === undefined ? {} : { ancestors }) })
      return items.map(({ source }) => source.scope).toSorted()
    }
    for (const path of paths) expect(await seen(path)).toEqual([path])
    expect(await seen('acme/ada/helper', true)).toEqual(['acme', 'acme/ada', 'acme/ada/helper'])
    expect(await seen('acme/ada', true)).toEqual(['acme', 'acme/ada'])
    expect(await seen('acme', true)).toEqual(['acme'])
    expect(await seen('acme/bob', true)).toEqual(['acme', 'acme/bob'])
    expect(await seen('acme/bob', false)).toEqual(['acme/bob'])
  })

  it('[walls-5] a context recalls messages of its own scope, and of ancestors on request', async () => {
    await using memory = await open()
    const words = 'The secret word is plum.'
    await memory.scope('acme').session('board').append({ role: 'user', content: words })
    await memory.scope('acme').remember({ subject: 'Plum', predicate: 'grows in', object: 'May' })
    const chat = memory.scope('acme/ada').session('s')
    await chat.append({ role: 'user', content: 'What is our secret word about the plum?' })
    const own = await chat.context({ budget: 4_000, recall: true })
    expect(JSON.stringify(own.messages)).not.toContain(words)
    expect(own.recalled.map(({ kind }) => kind)).toEqual(['fact'])
    const all = await chat.context({ budget: 4_000, recall: { ancestors: true } })
    expect(JSON.stringify(all.messages)).toContain(words)
  })

  it('[recall-6] what was recalled and shown is never found again', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', content: 'The tulips were planted in March.' },
      { role: 'user', content: 'tulips again', metadata: { daybook: RECALLED } },
      {
        role: 'user',
        content: 'Look: <long_term_memory nonce="7f">tulips</long_term_memory> thanks for the hyacinths',
      },
    ])
    expect(found(await scope.recall('tulips')).filter((text) => text.includes('tulips'))).toEqual([
      'The tulips were planted in March.',
    ])
    expect(found(await scope.recall('hyacinths'))[0]).not.toContain('tulips')
  })

  it('[recall-6] shows tool results, marked as not to be trusted', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'assistant', toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] },
      { role: 'tool', toolCallId: 'c1', content: 'Snowfall in Oslo, twelve centimetres.' },
    ])
    const { items } = await scope.recall('snowfall', { limit: 1 })
    expect(items[0]).toMatchObject({ trust: 0, text: 'Snowfall in Oslo, twelve centimetres.' })
  })
}

function testChanges(open: OpenSubject): void {
  it('[contexts-70] posts and learns from a streamed message once, when it is complete', async () => {
    await using memory = await open()
    const scope = memory.scope('acme/ada')
    const chat = scope.session('s')
    const posted = async (): Promise<readonly unknown[]> => {
      await memory.settled()
      return (await scope.recall('zzuf Lisbon')).items.filter(({ kind }) => kind === 'message')
    }
    await chat.keepPiece('m', { from: 0, text: 'I live ', message: { role: 'user' } })
    await chat.keepPiece('m', { from: 7, text: 'in Lisbon with zzuf.' })
    expect(await posted()).toEqual([])
    expect(await scope.facts()).toEqual([])
    await chat.change([
      { type: 'revise', id: 'm', patch: { content: 'I live in Lisbon with zzuf. Bye.', incomplete: null } },
    ])
    expect(await posted()).toMatchObject([{ source: { id: 'm' } }])
    expect(await scope.facts()).toMatchObject([{ predicate: 'lives_in', object: { entity: 'Lisbon' } }])
  })

  it('[found-7] a misspelt word and a part of a compound are found', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append([
      { role: 'user', content: 'My dentist is called Okafor' },
      { role: 'user', content: 'Der Mietvertrag liegt im Schrank' },
    ])
    expect(found(await scope.recall('dentsit'))[0]).toBe('My dentist is called Okafor')
    expect(found(await scope.recall('Vertrag'))[0]).toBe('Der Mietvertrag liegt im Schrank')
  })

  it('sees every acknowledged message, revision, removal and clear', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const chat = scope.session('s')
    const [first] = await chat.append([
      { role: 'user', content: 'The keys are under the doormat.' },
      { role: 'system', content: 'Never mention the doormat to strangers.' },
    ])
    const id = first?.id ?? ''
    const roles = ['user', 'system'] as const
    expect(found(await scope.recall('doormat', { roles }))).toHaveLength(2)
    await chat.revise(id, { content: 'The keys are in the flowerpot.' })
    expect(found(await scope.recall('keys'))[0]).toBe('The keys are in the flowerpot.')
    expect(found(await scope.recall('flowerpot'))[0]).toBe('The keys are in the flowerpot.')
    await chat.remove(id)
    expect(found(await scope.recall('flowerpot'))).toEqual([])
    await chat.append({ role: 'user', content: 'A new doormat was bought.' })
    await chat.clear({ keepSystem: true })
    expect(found(await scope.recall('doormat', { roles }))).toEqual(['Never mention the doormat to strangers.'])
    await chat.clear({ keepSystem: false })
    expect(found(await scope.recall('doormat', { roles }))).toEqual([])
  })

  it("a fork's inherited history is found once, what the fork changes is found there", async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const chat = scope.session('s')
    const [first] = await chat.append([
      { role: 'user', content: 'The lighthouse was painted red.' },
      { role: 'user', content: 'And the harbour was rebuilt.' },
    ])
    const fork = await chat.fork('t')
    await fork.append({ role: 'user', content: 'The lighthouse keeper retired.' })
    expect((await scope.recall('lighthouse keeper')).items.map(({ source }) => source.session)).toEqual(['t', 's', 's'])
    await fork.revise(first?.id ?? '', { content: 'The lighthouse was painted turquoise.' })
    const { items } = await scope.recall('turquoise', { limit: 1 })
    expect(items[0]).toMatchObject({ text: 'The lighthouse was painted turquoise.', source: { session: 't', seq: 1 } })
  })

  it('gives the same answers after the index was thrown away', async () => {
    await using memory = await open({ clock: new ManualClock() })
    const scope = memory.scope('a')
    for (let index = 0; index < 30; index++)
      await scope.session(`s${index % 3}`).append({
        role: 'user',
        content: `Walk number ${index} led past ${['a mill', 'the river', 'an orchard'][index % 3]}.`,
      })
    const before = await scope.recall('the walk past the river', { limit: 20, explain: true })
    await memory.rebuild()
    expect(await scope.recall('the walk past the river', { limit: 20, explain: true })).toEqual(before)
  })
}

function testOptions(open: OpenSubject): void {
  it('[recall-7] keeps to a count, or to a token budget, passing over what is too large', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    for (let index = 0; index < 12; index++)
      await scope.session(`s${index}`).append({
        role: 'user',
        content: `Marathon entry ${index} of runner ${['Kim', 'Lee', 'Ola'][index % 3]}${index === 11 ? ` marathon ${'with many details '.repeat(60)}` : ''}.`,
      })
    expect((await scope.recall('marathon')).items).toHaveLength(10)
    expect((await scope.recall('marathon', { limit: 3 })).items).toHaveLength(3)
    const { items, dropped } = await scope.recall('marathon', { budget: 40, explain: true })
    const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
    expect(items.length).toBeGreaterThan(1)
    expect(tokens).toBeLessThanOrEqual(40)
    expect(dropped.some(({ reason }) => reason === 'over-budget')).toBe(true)
  })

  it('[recall-7] folds near-duplicates into one item that names the others', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    for (const session of ['s1', 's2', 's3'])
      await scope.session(session).append({ role: 'user', content: 'Please always answer in short polite sentences!' })
    const { items } = await scope.recall('polite sentences')
    expect(items).toHaveLength(1)
    expect(items[0]?.copies).toHaveLength(2)
  })

  it('[recall-8] explains what was considered and dropped', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    for (let index = 0; index < 5; index++)
      await scope.session(`s${index}`).append({ role: 'user', content: `Lantern ${index} glows.` })
    const { items, dropped } = await scope.recall('lantern', { limit: 2, explain: true })
    expect(items).toHaveLength(2)
    expect(dropped.map(({ reason, kind }) => [reason, kind])).toEqual(
      Array.from({ length: 3 }, () => ['below-limit', 'message']),
    )
    expect(dropped[0]?.source.session).toMatch(/^s\d$/)
  })

  it('shows part of a long message, and neighbours on request', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const filler = 'Nothing of interest happened on that day in the archive. '.repeat(60)
    await scope.session('s').append([
      { role: 'user', content: 'Before.' },
      { role: 'user', content: `${filler}The zeppelin landed at noon. ${filler}` },
      { role: 'user', content: 'After.' },
    ])
    const { items } = await scope.recall('zeppelin', { limit: 1, neighbours: true })
    expect(items[0]).toMatchObject({ excerpt: true, before: 'Before.', after: 'After.' })
    expect(items[0]?.text).toContain('The zeppelin landed at noon.')
    expect(items[0]?.text.length).toBeLessThan(1_500)
  })

  it('[surface-4] finds only items of the kinds that were named, by the same words', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    await scope.session('s').append({ role: 'user', content: 'The zeppelin landed at noon.' })
    await scope.remember({ subject: 'The zeppelin', predicate: 'landed_at', object: 'noon' })
    for (const kind of ['message', 'fact'] as const) {
      const { items } = await scope.recall('zeppelin', { kinds: [kind] })
      expect(new Set(items.map((item) => item.kind))).toEqual(new Set([kind]))
    }
  })

  it('refuses options that are not options', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const bad: readonly object[] = [
      { limit: 0 },
      { budget: -1 },
      { kinds: ['dreams'] },
      { since: 'yesterday' },
      { asof: 1 },
      { explain: 1 },
    ]
    for (const options of bad) await expect(scope.recall('x', options)).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(scope.recall(7 as unknown as string)).rejects.toMatchObject({ code: 'input/invalid' })
  })
}

function testTime(open: OpenSubject): void {
  it('[recall-3] time phrases in the question lead to what was said then', async () => {
    const clock = new ManualClock(Date.UTC(2026, 2, 20, 12))
    await using memory = await open({ clock })
    const scope = memory.scope('a')
    for (const day of [2, 9, 16, 19])
      await scope
        .session(`march ${day}`)
        .append({ role: 'user', content: `Dinner of the ${day}.`, at: new Date(Date.UTC(2026, 2, day, 19)) })
    expect(found(await scope.recall('What was for dinner yesterday?'))[0]).toBe('Dinner of the 19.')
    expect(found(await scope.recall('What was said on 9 March 2026?'))[0]).toBe('Dinner of the 9.')
    expect((await scope.recall('dinner on March 2, 2026')).items[0]).toMatchObject({
      text: 'Dinner of the 2.',
      why: { date: 'march 2, 2026' },
    })
  })

  it('since and until bound the time that things were said', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    for (let day = 1; day <= 5; day++)
      await scope
        .session('s')
        .append({ role: 'user', content: `Note ${day} on bees.`, at: new Date(Date.UTC(2026, 0, day)) })
    const texts = found(await scope.recall('bees', { since: '2026-01-02', until: '2026-01-04' }))
    expect(texts.toSorted()).toEqual(['Note 2 on bees.', 'Note 3 on bees.'])
  })

  it('[fact-3] asOf answers as it was known then, also what was revised, removed or cleared since', async () => {
    const clock = new ManualClock()
    await using memory = await open({ clock })
    const scope = memory.scope('a')
    const chat = scope.session('s')
    const [first, second] = await chat.append([
      { role: 'user', content: 'The password is swordfish.' },
      { role: 'user', content: 'The vault is behind the painting.' },
      { role: 'user', content: 'The guard leaves at midnight.' },
    ])
    const then = new Date(clock.time)
    clock.time += DAY_MS
    await chat.revise(first?.id ?? '', { content: 'The password is marigold.' })
    await chat.remove(second?.id ?? '')
    await chat.append({ role: 'user', content: 'The swordfish was delicious.' })
    clock.time += DAY_MS
    await chat.clear()
    expect(found(await scope.recall('swordfish'))).toEqual([])
    const swordfish = found(await scope.recall('swordfish', { asOf: then }))
    expect(swordfish[0]).toBe('The password is swordfish.')
    expect(swordfish).not.toContain('The swordfish was delicious.')
    expect(found(await scope.recall('vault painting', { asOf: then }))[0]).toBe('The vault is behind the painting.')
    expect(found(await scope.recall('midnight', { asOf: then }))[0]).toBe('The guard leaves at midnight.')
    expect(found(await scope.recall('marigold', { asOf: then }))).toEqual([])
  })
}
