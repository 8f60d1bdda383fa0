import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/api/scope.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { OpenSubject } from './subject.ts'

const say = (text: string, id?: string): NewMessage => ({
  role: 'user',
  content: text,
  ...(id === undefined ? {} : { id }),
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const summaries = {
  name: 'summaries',
  high: {},
  low: { mark: { tokens: 0 } },
  steps: [{ stage: 'summarise', unit: 'range' }],
  advance: 'until-low',
} as const

/**
 * What `forget` leaves in no table. Names of sessions are not looked for: behind a server they stand in its audit trail. When the database's own pages are free of it is its own matter: see `pending` of the
 * receipt.
 */
export function testForgetting(open: OpenSubject): void {
  describe('forgetting everything', () => {
    it('[forget-1] [words-24] leaves nothing of a scope and those below, and everything of others', async () => {
      await using memory = await open()
      const [ada, desk, bob] = ['acme/ada', 'acme/ada/desk', 'acme/adam'].map((path) => memory.scope(path)) as [
        Scope,
        Scope,
        Scope,
      ]
      for (const subject of ['Acme', 'The company'])
        await memory.scope('acme').remember({ subject, predicate: 'sells', object: 'lamps' })
      for (const scope of [ada, desk, bob]) {
        const chat = scope.session('chat')
        await chat.append(say(`My name is Quuxopolia and I live in ${scope === bob ? 'Bobville' : 'Zanzibaroo'}.`))
        await chat.fork('try')
        await scope.session('plan').state.set('goal', scope === bob ? 'lamps' : 'Zanzibaroo')
        const place = scope === bob ? 'Bobville' : 'Zanzibaroo'
        await scope.blocks.set('user', `Lives in ${place}.`)
        await scope.records('cache').put('key', { place })
        const [{ id }] = await scope.remember({ subject: 'the office', predicate: 'is in', object: place })
        await scope.retract(id)
        // About what only an ancestor has: it does not go with a fact or an entity of the scope.
        await scope.propose({ merge: ['Acme', 'The company'] }, `Both are in ${place}`)
        await scope.remember({ subject: 'Ada', predicate: 'knows', object: { entity: `Friend of ${place}` } })
      }
      await memory.settled()
      const plan = await ada.forget({ everything: true }, { dryRun: true })
      expect(plan).toMatchObject({ dryRun: true, found: true, messages: 2 })
      expect((await ada.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual(['chat', 'plan', 'try'])

      const receipt = await ada.forget({ everything: true }, { reason: 'request 7' })
      expect(receipt).toMatchObject({
        scope: 'acme/ada',
        reason: 'request 7',
        found: true,
        messages: 2,
        facts: plan.facts,
      })
      const names = ['chat', 'plan', 'try']
      expect(receipt.sessions.toSorted()).toEqual([...names.map((name) => `acme/ada/desk: ${name}`), ...names])
      expect(await ada.proposals()).toEqual([])
      for (const scope of [ada, desk]) {
        expect((await scope.sessions()).sessions).toEqual([])
        expect((await scope.facts({ includeClosed: true })).map(({ scope: of }) => of)).toEqual(['acme', 'acme'])
        expect(await scope.blocks.list()).toEqual([])
        expect((await scope.recall('Zanzibaroo', { fresh: true })).items).toEqual([])
      }
      expect((await memory.verifyForgotten(receipt, ['Zanzibaroo'])).found).toEqual([])
      expect((await memory.scopes({ under: 'acme' })).scopes.map(({ scope }) => scope)).toEqual(['acme', 'acme/adam'])
      expect(await bob.session('chat').count()).toBe(1)
      expect(await bob.blocks.get('user')).toMatchObject({ text: 'Lives in Bobville.' })
      expect(await memory.verify()).toMatchObject({ ok: true })
      expect(await ada.forget({ everything: true })).toMatchObject({ found: false, messages: 0, facts: 0 })
      await ada.session('chat').append(say('A new beginning.'))
      expect(await ada.session('chat').count()).toBe(1)
    })
  })

  describe('forgetting a message', () => {
    it('[forget-1] takes it out of history and count; [forget-2] order and chain verify', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      await chat.append([
        say('My name is Ada and I live in Zanzibaroo.', 'one'),
        say('The weather is fine today.', 'two'),
      ])
      await chat.append(say('I drink tea.', 'three'))
      await chat.revise('one', { content: 'My name is Ada and I live in Quuxopolis.' })
      await memory.settled()
      const then = await chat.stats()
      const receipt = await ada.forget({ message: 'one' }, { reason: 'a request' })
      expect(receipt).toMatchObject({ messages: 1, revisions: 1, sessions: ['chat'], reason: 'a request' })
      expect((await chat.history()).map(({ id, seq }) => [id, seq])).toEqual([
        ['two', 2],
        ['three', 3],
      ])
      expect((await chat.history({ after: 2 })).map(({ id }) => id)).toEqual(['three'])
      expect(await chat.get('one')).toBeUndefined()
      expect(await chat.count()).toBe(2)
      expect(await chat.count({ asOf: { version: then.version } })).toBe(2)
      expect((await chat.stats()).messages).toBe(2)
      expect(await memory.verify()).toMatchObject({ ok: true, messages: 2, forgotten: 1 })
      expect(await memory.verifyForgotten(receipt, ['Zanzibaroo', 'Quuxopolis'])).toMatchObject({ found: [] })
    })

    it('[forget-2] does not let a retry bring it back, by its id or its operation', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      await chat.append(say('secret words', 'one'), { operationId: 'first' })
      await chat.append(say('plain words', 'two'), { operationId: 'second' })
      const fork = await chat.fork('fork')
      expect((await ada.forget({ message: 'one' })).sessions).toEqual(['chat', 'fork'])
      const gone = { code: 'log/forgotten' }
      await expect(chat.append(say('secret words', 'one'))).rejects.toMatchObject(gone)
      await expect(fork.append(say('secret words', 'one'))).rejects.toMatchObject(gone)
      await expect(chat.append(say('other'), { operationId: 'first' })).rejects.toMatchObject(gone)
      expect((await chat.append(say('plain words', 'two'), { operationId: 'second' }))[0]?.seq).toBe(2)
      expect((await fork.history()).map(({ id }) => id)).toEqual(['two'])
      expect(await fork.count()).toBe(1)
      expect(await memory.verify()).toMatchObject({ ok: true })
      await expect(ada.forget({ message: 'one' })).rejects.toMatchObject({ code: 'log/not-found' })
    })

    it('[forget-1] tells its folds again without it, in forks too, and what is read stays whole', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      for (let number = 1; number <= 12; number++)
        await chat.append([
          say(`Please order number ${number} of the article Xylo${number}phone for the office in town.`, `m${number}`),
          { role: 'assistant', content: `Ordered Xylo${number}phone, the reference is REF-${number}-ABCDE.` },
        ])
      const outcome = await chat.compact({ force: true, policy: summaries })
      expect(outcome.type).toBe('compacted')
      const fork = await chat.fork('fork')
      expect(JSON.stringify(await fork.window())).toContain('REF-3-ABCDE')
      const receipt = await ada.forget({ message: 'm3' })
      const reply = (await chat.history({ after: 5, limit: 1 }))[0]
      await ada.forget({ message: reply?.id ?? '' })
      expect(receipt.folds).toBe(1)
      for (const session of [chat, fork]) {
        const window = JSON.stringify(await session.window())
        expect(window).not.toContain('REF-3-ABCDE')
        expect(window).not.toContain('order number 3')
        expect(window).toContain('REF-4-ABCDE')
      }
      expect(await memory.verify()).toMatchObject({ ok: true, forgotten: 2 })
      expect(await memory.verifyForgotten(receipt, ['Xylo3phone', 'REF-3-ABCDE'])).toMatchObject({ found: [] })
      await chat.undo()
      expect(await chat.count()).toBe(22)
      expect(JSON.stringify(await chat.context({ budget: 4_000 }))).not.toContain('Xylo3phone')
    })

    it('[forget-1] keeps a fact that something else says too', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append([say('Ada owns a boat', 'one'), say('Ada has a boat, and a horse', 'two')])
      const boat = { subject: 'Ada', predicate: 'owns', object: 'a boat' }
      await ada.remember([
        { ...boat, sources: ['one'] },
        { ...boat, sources: ['two'] },
        { subject: 'Ada', predicate: 'rides', object: { entity: 'Bucephalus' }, sources: ['two'] },
      ])
      const [horse] = await ada.facts({ predicate: 'rides' })
      await memory.scope('acme/ada/helper').remember({
        subject: 'Ada',
        predicate: 'likes',
        object: 'horses',
        sources: [{ fact: horse?.id ?? '' }],
      })
      const dry = await ada.forget({ message: 'two' }, { dryRun: true })
      expect(dry).toMatchObject({ dryRun: true, messages: 1, facts: 2 })
      expect(await ada.facts()).toHaveLength(2)
      const receipt = await ada.forget({ message: 'two' })
      expect(receipt).toMatchObject({ facts: 2, messages: 1, entities: 1 })
      expect((await ada.facts()).map(({ object, sources }) => [object, sources.length])).toEqual([['a boat', 1]])
      expect(await memory.scope('acme/ada/helper').facts({ predicate: 'likes' })).toEqual([])
      expect((await ada.recall('who owns a boat?')).items.some(({ kind }) => kind === 'fact')).toBe(true)
      expect(await memory.verifyForgotten(receipt, ['Bucephalus', 'bucephalus'])).toMatchObject({ found: [] })
    })
  })

  describe('forgetting what forks, ids, folds and blobs share', () => {
    it('[forget-1] takes the words along that a fork gave to what it shares', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      await chat.append([say('I live in Zanzibaroo.', 'one'), say('two')])
      const fork = await chat.fork('fork')
      await fork.revise('one', { content: 'My name is Ada and I live in Quuxopolis.' })
      await memory.settled()
      const receipt = await ada.forget({ message: 'one' })
      expect(receipt).toMatchObject({ messages: 1, revisions: 1, sessions: ['chat', 'fork'] })
      expect((await fork.history()).map(({ seq }) => seq)).toEqual([2])
      expect(await memory.verifyForgotten(receipt, ['Zanzibaroo', 'Quuxopolis'])).toMatchObject({ found: [] })
      expect(await memory.verify()).toMatchObject({ ok: true })
    })

    it('[forget-1] takes the description along that the first message says, in forks too', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat', { description: 'Zanzibaroo is the topic' })
      await chat.append(say('two'))
      const fork = await chat.fork('fork')
      await fork.append(say('three'))
      const [first] = await chat.history({ limit: 1 })
      const receipt = await ada.forget({ message: first?.id ?? '' })
      expect(receipt).toMatchObject({ messages: 1, sessions: ['chat', 'fork'] })
      expect((await ada.sessions()).sessions.map(({ description }) => description)).toEqual([null, null])
      expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ found: [] })
      await chat.append(say('four'))
      await (await chat.fork('later')).append(say('five'))
      expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    })

    it('[forget-1] is not stopped by an id that somebody gave to another message', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append([say('Zanzibaroo', 'one'), say('two', 'forgotten:1')])
      const receipt = await ada.forget({ message: 'one' })
      expect(await memory.verifyForgotten(receipt, ['Zanzibaroo'])).toMatchObject({ found: [] })
      expect((await ada.session('chat').history()).map(({ id }) => id)).toEqual(['forgotten:1'])
    })

    it('[forget-1] of one fold at the same time brings nothing back', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      for (let number = 1; number <= 12; number++)
        await chat.append([
          say(`Please order number ${number} of the article Xylo${number}phone for the office in town.`, `m${number}`),
          { role: 'assistant', content: `Ordered, the reference is REF-${number}-ABCDE.` },
        ])
      expect((await chat.compact({ force: true, policy: summaries })).type).toBe('compacted')
      const gone = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
      const [receipt] = await Promise.all(gone.map((number) => ada.forget({ message: `m${number}` })))
      expect(receipt?.folds).toBe(1)
      const samples = gone.map((number) => `Xylo${number}phone`)
      expect(receipt && (await memory.verifyForgotten(receipt, samples))).toMatchObject({ found: [] })
      expect(JSON.stringify(await chat.window())).toContain('REF-3-ABCDE')
      expect(await memory.verify()).toMatchObject({ ok: true, forgotten: gone.length })
    })

    it('[forget-1] takes a blob along whose hash somebody only mentions, and leaves one that another message shows', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      const picture = (byte: number): Uint8Array => Buffer.concat([PNG, Buffer.from([byte])])
      const show = (byte: number, id: string): NewMessage => ({
        id,
        role: 'user',
        content: [{ type: 'image', source: picture(byte) }],
      })
      const [one] = await chat.append([show(1, 'one'), show(2, 'two'), show(2, 'three')])
      const hash = /[0-9a-f]{64}/.exec(JSON.stringify(one?.parts))?.[0]
      expect(hash).toBeDefined()
      await chat.append(say(`Its sha256 is ${hash}: {"hash":"${hash}"}`))
      expect(await ada.forget({ message: 'one' })).toMatchObject({ blobs: 1 })
      expect(await ada.forget({ message: 'two' })).toMatchObject({ blobs: 0 })
      expect(await ada.forget({ message: 'three' })).toMatchObject({ blobs: 1 })
    })
  })

  describe('forgetting a session', () => {
    it('[forget-1] takes along all blobs that nothing else of the scope shows, however many there are', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      const picture = (number: number): Uint8Array => Buffer.concat([PNG, Buffer.from(String(number))])
      const show = (number: number): NewMessage => ({
        id: `shows ${number}`,
        role: 'user',
        content: [{ type: 'image', source: picture(number) }],
      })
      await ada.session('gone').append(Array.from({ length: 60 }, (_, number) => show(number)))
      await ada.session('stays').append([show(3), show(100), say('no picture', 'later')])
      await ada.session('stays').revise('later', { content: [{ type: 'image', source: picture(7) }] })
      // Of another scope, which has blobs of its own.
      await memory
        .scope('acme/bob')
        .session('other')
        .append([show(5)])
      const { messages, blobs } = await ada.forget({ session: 'gone' })
      // Where content is encrypted, sessions share no blobs: then all of them go, and what the other shows is its own.
      expect({ messages, blobs }).toEqual({ messages: 60, blobs: blobs === 60 ? 60 : 58 })
      expect(await memory.verify()).toMatchObject({ ok: true })
      expect(await ada.forget({ session: 'stays' })).toMatchObject({ blobs: 3 })
      expect(await memory.scope('acme/bob').forget({ session: 'other' })).toMatchObject({ blobs: 1 })
    })

    it('[forget-1] needs a word about its forks, and leaves nothing of it but its number', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada')
      const chat = ada.session('opera', { description: 'Nabucco is the topic' })
      await chat.append(say('Nabucco is an opera', 'one'))
      await (await chat.fork('second opera')).append(say('Nabucco again'))
      await memory.settled()
      await ada.recall('Nabucco')
      await expect(ada.forget({ session: 'opera' })).rejects.toMatchObject({
        code: 'log/has-forks',
        details: { forks: ['second opera'] },
      })
      const receipt = await ada.forget({ session: 'opera' }, { forks: true })
      expect(receipt).toMatchObject({ messages: 3, sessions: ['opera', 'second opera'] })
      expect((await ada.sessions()).sessions).toEqual([])
      expect((await memory.jobs.list()).filter(({ subject }) => subject.includes('opera'))).toEqual([])
      expect(await memory.verifyForgotten(receipt, ['Nabucco'])).toMatchObject({ found: [] })
      await expect(chat.append(say('Nabucco is an opera', 'one'))).rejects.toMatchObject({ code: 'log/forgotten' })
      await chat.append(say('A new beginning'))
      expect(await chat.count()).toBeGreaterThan(0)
      expect(await memory.verify()).toMatchObject({ ok: true })
    })
  })

  describe('forgetting a subject', () => {
    it('[forget-1] says which messages still tell of it, and forgets them when asked to', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      await ada.session('chat').append([say('Ludovico lives in Turin', 'one'), say('It rains', 'two')])
      await ada.remember({ subject: 'Ludovico', predicate: 'lives in', object: 'Turin', sources: ['one'] })
      const plan = await ada.forget({ subject: 'Ludovico' }, { dryRun: true })
      expect(plan).toMatchObject({ facts: 1, versions: 1, sources: 1, remaining: 1 })
      const receipt = await ada.forget({ subject: 'Ludovico' }, { messages: true })
      const { facts, versions, entities } = plan
      expect(receipt).toMatchObject({ facts, versions, entities, messages: 1, remaining: 0 })
      expect(await memory.verifyForgotten(receipt, ['Ludovico', 'Turin'])).toMatchObject({ found: [] })
      expect(await memory.verify()).toMatchObject({ ok: true, messages: 1 })
    })
  })
}

/** What was posted, learned and stands in the clear: not where content is encrypted. */
export function testForgettingCopies(open: OpenSubject): void {
  describe('forgetting what was learned from', () => {
    it('[forget-1] takes it out of recall and of what was learned; [forget-3] what stays is found where it stands', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada')
      const chat = ada.session('chat')
      await chat.append([
        say('My name is Ada and I live in Quuxopolis.', 'one'),
        say('The weather is fine today.', 'two'),
      ])
      await memory.settled()
      expect((await ada.recall('Quuxopolis')).items.length).toBeGreaterThan(0)
      expect(JSON.stringify(await ada.facts())).toContain('Quux')
      const receipt = await ada.forget({ message: 'one' })
      expect((await ada.recall('Quuxopolis')).items).toEqual([])
      expect(JSON.stringify(await ada.facts({ includeClosed: true }))).not.toContain('Quux')
      expect(JSON.stringify(await ada.entities())).not.toContain('Quux')
      expect(await memory.verifyForgotten(receipt, ['Quuxopolis'])).toMatchObject({ found: [] })
      expect((await memory.verifyForgotten(receipt, ['weather'])).found).toContainEqual(
        expect.objectContaining({ form: 'utf-8', where: 'table messages, column body', scope: 'acme/ada' }),
      )
    })
  })
}
