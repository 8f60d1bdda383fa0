import { describe, expect, it } from 'vitest'
import type { Scope } from '../../src/api/scope.ts'
import type { OpenSubject } from './subject.ts'

async function relate(scope: Scope, ...relations: readonly string[]): Promise<void> {
  await scope.remember(
    relations.map((relation) => {
      const [subject = '', predicate = '', object = ''] = relation.split(' ')
      return { subject, predicate, object: { entity: object } }
    }),
  )
}

/** Entities and the relations between them: names, neighbours, ways, merging and splitting. */
export function testGraph(open: OpenSubject): void {
  describe('the graph', () => {
    it('[fact-10] neighbours, subgraphs by depth, relations both ways', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await relate(scope, 'Ada knows Bob', 'Cid knows Ada', 'Bob knows Dan', 'Dan knows Eve', 'Zoe knows Yan')
      await scope.remember({ subject: 'Ada', predicate: 'age', object: 36 })
      const names = async (depth: number): Promise<readonly string[]> =>
        (await scope.graph({ around: 'ada', depth })).entities.map(({ name }) => name)
      expect(await names(1)).toEqual(['Ada', 'Bob', 'Cid'])
      expect(await names(2)).toEqual(['Ada', 'Bob', 'Cid', 'Dan'])
      expect(await names(3)).toEqual(['Ada', 'Bob', 'Cid', 'Dan', 'Eve'])
      expect((await scope.graph({ around: 'Ada' })).facts.map(({ text }) => text)).toEqual([
        'Ada knows Bob',
        'Ada age 36',
        'Cid knows Ada',
      ])
      expect(await scope.graph({ around: ['Eve', 'Yan'], limit: 1 })).toMatchObject({ truncated: true })
      expect(await scope.graph({ around: 'nobody' })).toEqual({ entities: [], facts: [], truncated: false })
    })

    it('[fact-10] the shortest path, whichever way relations point', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await relate(scope, 'A to B', 'B to C', 'C to D', 'D to E', 'X to B', 'X to E', 'Lone to Island')
      const way = await scope.path('A', 'E')
      expect(way.entities.map(({ name }) => name)).toEqual(['A', 'B', 'X', 'E'])
      expect(way.facts.map(({ text }) => text)).toEqual(['A to B', 'X to B', 'X to E'])
      expect(await scope.path('A', 'Island')).toMatchObject({ found: false, complete: true, entities: [], facts: [] })
      expect(await scope.path('A', 'E', { maxDepth: 2 })).toMatchObject({ found: false })
      expect(await scope.path('A', 'A')).toMatchObject({ found: true, facts: [], entities: [{ name: 'A' }] })
      expect(await scope.path('A', 'nobody')).toMatchObject({ found: false })
    })

    it('[fact-9] entities have types and aliases, and facts are found by any name', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember({
        subject: { name: 'Ada Lovelace', type: 'person', aliases: ['Countess Lovelace', 'A.A.L.'] },
        predicate: 'wrote',
        object: 'Notes',
      })
      const [again] = await scope.remember({ subject: 'countess  lovelace', predicate: 'wrote', object: 'notes' })
      expect(again).toMatchObject({ outcome: 'confirmed', subject: 'Ada Lovelace' })
      expect(await scope.facts({ subject: 'a.a.l.' })).toHaveLength(1)
      expect(await scope.entity('A.A.L.')).toMatchObject({
        name: 'Ada Lovelace',
        type: 'person',
        aliases: ['Countess Lovelace', 'A.A.L.'],
      })
      await relate(scope, 'Bob knows Ada')
      await expect(
        scope.remember({ subject: { name: 'Bob', aliases: ['A.A.L.'] }, predicate: 'is', object: 'here' }),
      ).rejects.toMatchObject({ code: 'knowledge/conflict' })
      expect((await scope.entities({ limit: 2 })).map(({ name }) => name)).toEqual(['Ada', 'Ada Lovelace'])
      expect((await scope.entities({ after: 'Ada Lovelace' })).map(({ name }) => name)).toEqual(['Bob'])
      expect((await scope.entities({ type: 'person' })).map(({ name }) => name)).toEqual(['Ada Lovelace'])
    })

    it('[fact-9] what a tool says cannot rename anybody', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember(
        { subject: { name: 'Mallory', aliases: ['the user'], type: 'admin' }, predicate: 'is', object: 'trusted' },
        { channel: 'tool' },
      )
      expect(await scope.entity('the user')).toBeUndefined()
      expect(await scope.entity('Mallory')).toMatchObject({ type: null, aliases: [] })
    })

    it('[fact-9] merging is a proposal with a diff, applied and reverted', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await relate(scope, 'Ada knows Bob', 'Cid knows Lovelace', 'Lovelace knows Bob')
      await scope.remember({ subject: 'Ada', predicate: 'favourite_city', object: 'Paris' })
      await scope.remember({
        subject: 'Lovelace',
        predicate: 'favourite_city',
        object: 'London',
        validFrom: '2020-01-01',
      })
      const shown = async (): Promise<unknown> => [
        (await scope.facts({ order: 'oldest', includeClosed: true, state: ['current', 'closed', 'retracted'] })).map(
          ({ id, text, validFrom, validTo, state, sourceCount, trust }) => ({
            id,
            text,
            validFrom,
            validTo,
            state,
            sourceCount,
            trust,
          }),
        ),
        (await scope.entities()).map(({ name, aliases }) => ({ name, aliases })),
      ]
      const before = await shown()
      const proposal = await scope.propose({ merge: ['Ada', 'Lovelace'] }, 'the same person')
      expect(await shown()).toEqual(before)
      expect(proposal).toMatchObject({ kind: 'merge', status: 'open', reason: 'the same person' })
      expect(proposal.facts.map(({ before: old, after }) => [old.text, after.text])).toContainEqual([
        'Cid knows Lovelace',
        'Cid knows Ada',
      ])
      expect(proposal.entities).toMatchObject([
        { before: { name: 'Ada', aliases: [] }, after: { name: 'Ada', aliases: ['Lovelace'] } },
        { before: { name: 'Lovelace' }, after: null },
      ])
      expect((await scope.apply(proposal.id)).status).toBe('applied')
      expect(
        (await scope.facts({ order: 'oldest', subject: 'Lovelace', predicate: 'knows' })).map(({ text }) => text),
      ).toEqual(['Ada knows Bob'])
      expect(
        (await scope.facts({ order: 'oldest', predicate: 'knows', object: { entity: 'Bob' } }))[0]?.sourceCount,
      ).toBe(2)
      expect(await scope.facts({ subject: 'Ada', predicate: 'favourite_city' })).toHaveLength(1)
      expect((await scope.entities()).map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Cid'])
      expect((await scope.remember({ subject: 'lovelace', predicate: 'likes', object: 'tea' }))[0].subject).toBe('Ada')
      await scope.forget({ fact: (await scope.facts({ object: 'tea' }))[0]?.id ?? '' })
      expect((await scope.revert(proposal.id)).status).toBe('reverted')
      expect(await shown()).toEqual(before)
      await expect(scope.apply(proposal.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
    })

    it('[fact-9] splitting gives some facts to another entity', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.remember([
        { subject: { name: 'Mercury', aliases: ['Hg'] }, predicate: 'orbits', object: { entity: 'Sun' } },
        { subject: 'Mercury', predicate: 'melts at', object: -38.8 },
        { subject: 'Bob', predicate: 'drank', object: { entity: 'Mercury' } },
      ])
      const [, melts, drank] = await scope.facts({ order: 'oldest' })
      const split = {
        split: 'Mercury',
        into: { name: 'Mercury (metal)', aliases: ['Hg'] },
        facts: [melts?.id ?? '', drank?.id ?? ''],
      }
      const proposal = await scope.propose(split)
      await scope.apply(proposal.id)
      expect((await scope.facts({ order: 'oldest', subject: 'Mercury' })).map(({ text }) => text)).toEqual([
        'Mercury orbits Sun',
      ])
      expect((await scope.graph({ around: 'Hg' })).facts.map(({ text }) => text)).toEqual([
        'Mercury (metal) melts at -38.8',
        'Bob drank Mercury (metal)',
      ])
      await scope.revert(proposal.id)
      expect((await scope.graph({ around: 'Hg' })).facts).toHaveLength(3)
      expect(await scope.entity('Mercury (metal)')).toBeUndefined()
      await expect(scope.propose({ ...split, into: { name: 'Bob' } })).rejects.toMatchObject({
        code: 'knowledge/conflict',
      })
    })

    it('[learn-7] consolidation proposes duplicates, aliases and stale facts, and changes nothing by itself', async () => {
      let time = Date.UTC(2020, 0, 1)
      await using memory = await open({ clock: { now: () => time } })
      const scope = memory.scope('a')
      await scope.remember({ subject: 'Ada Lovelace', predicate: 'employer', object: 'Acme' })
      time = Date.UTC(2026, 0, 1)
      await scope.remember([
        { subject: 'Ada', predicate: 'prefers', object: 'verbose output' },
        { subject: 'Ada', predicate: 'prefers', object: 'Verbose output.' },
        { subject: 'Ada', predicate: 'prefers', object: 'tea' },
      ])
      const version = await scope.knowledgeVersion()
      const proposals = await scope.consolidate()
      expect(proposals.map(({ kind }) => kind).toSorted()).toEqual(['duplicates', 'merge', 'stale'])
      expect(await scope.facts({ order: 'oldest' })).toEqual(await scope.facts({ order: 'oldest', asOf: { version } }))
      expect(await scope.consolidate()).toEqual([])
      expect(await scope.proposals({ status: 'open' })).toHaveLength(3)
      const duplicates = proposals.find(({ kind }) => kind === 'duplicates')
      const before = await scope.facts({ order: 'oldest', subject: 'Ada' })
      await scope.apply(duplicates?.id ?? '')
      expect(
        (await scope.facts({ order: 'oldest', subject: 'Ada' })).map(({ object, sourceCount }) => [
          object,
          sourceCount,
        ]),
      ).toEqual([
        ['verbose output', 2],
        ['tea', 1],
      ])
      await scope.revert(duplicates?.id ?? '')
      const after = await scope.facts({ order: 'oldest', subject: 'Ada' })
      expect(after.map((fact) => ({ ...fact, revision: 0 }))).toEqual(before.map((fact) => ({ ...fact, revision: 0 })))
      const stale = proposals.find(({ kind }) => kind === 'stale')
      await scope.apply(stale?.id ?? '')
      expect(await scope.facts({ subject: 'Ada Lovelace' })).toEqual([])
    })

    it('[learn-7] a proposal whose facts were changed since is refused', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await relate(scope, 'Ada knows Bob', 'Lovelace knows Cid')
      const proposal = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      const [cid] = await scope.facts({ order: 'oldest', subject: 'Lovelace' })
      await scope.retract(cid?.id ?? '')
      await scope.restore(cid?.id ?? '')
      await expect(scope.apply(proposal.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      expect((await scope.entities()).map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Cid', 'Lovelace'])
      const second = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      await scope.apply(second.id)
      await expect(scope.apply('unknown')).rejects.toMatchObject({ code: 'knowledge/not-found' })
    })

    it('[fact-9] a merge can be reverted after ordinary use, and what was learned since stays', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await relate(scope, 'Ada knows Bob', 'Lovelace knows Bob', 'Lovelace knows Cid', 'Lovelace knows Eve')
      const proposal = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      await scope.apply(proposal.id)
      await relate(scope, 'Lovelace knows Cid', 'Ada knows Bob', 'Ada knows Dan')
      const [eve] = await scope.facts({ order: 'oldest', object: { entity: 'Eve' } })
      await scope.retract(eve?.id ?? '')
      await scope.remember({ subject: { name: 'Ada', aliases: ['Ada K.'] }, predicate: 'is', object: 'here' })
      await scope.revert(proposal.id)
      const facts = await scope.facts({ order: 'oldest', predicate: 'knows' })
      expect(facts.map(({ text, sourceCount }) => [text, sourceCount])).toEqual([
        ['Ada knows Bob', 2],
        ['Lovelace knows Bob', 1],
        ['Lovelace knows Cid', 2],
        ['Ada knows Dan', 1],
      ])
      expect(await scope.facts({ order: 'oldest', state: 'retracted' })).toMatchObject([{ text: 'Lovelace knows Eve' }])
      expect(await scope.entity('Ada')).toMatchObject({ aliases: ['Ada K.'] })
      expect(await scope.entity('Lovelace')).toMatchObject({ name: 'Lovelace', aliases: [] })
    })

    it('[fact-9] what lost its source since is not brought back by a revert', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [message] = await scope.session('s').append({ role: 'user', content: 'x' })
      const [tea] = await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      const again = { subject: 'Ada', predicate: 'likes', object: 'tea!', sources: [message.id] }
      const [same] = await scope.remember(again)
      const proposal = await scope.propose({ duplicates: [tea.id, same.id] })
      await scope.apply(proposal.id)
      await scope.rollBack(message.id)
      await scope.revert(proposal.id)
      expect((await scope.facts({ order: 'oldest' })).map(({ id, sourceCount }) => [id, sourceCount])).toEqual([
        [tea.id, 1],
      ])
      expect(await scope.fact(same.id)).toMatchObject({ state: 'retracted', trust: 0, sourceCount: 0 })
    })

    it("[fact-9] a scope that merged its ancestor's entities sees both again after the revert", async () => {
      await using memory = await open()
      const [root, child] = [memory.scope('a'), memory.scope('a/b')]
      await relate(root, 'Ada knows Bob', 'Lovelace knows Cid')
      const names = async (): Promise<readonly string[]> => (await child.entities()).map(({ name }) => name)
      const before = await names()
      const proposal = await child.propose({ merge: ['Ada', 'Lovelace'] })
      await child.apply(proposal.id)
      expect(await names()).toEqual(['Ada', 'Bob', 'Cid'])
      await child.revert(proposal.id)
      expect(await names()).toEqual(before)
      expect(await child.entity('Lovelace')).toMatchObject({ name: 'Lovelace', scope: 'a' })
    })

    it('[fact-9] what was made by a split keeps its name if something was said of it since', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const [melts] = await scope.remember({ subject: 'Mercury', predicate: 'melts at', object: -38.8 })
      const proposal = await scope.propose({ split: 'Mercury', into: { name: 'Quicksilver' }, facts: [melts.id] })
      await scope.apply(proposal.id)
      await relate(scope, 'Quicksilver cures Nothing')
      await scope.revert(proposal.id)
      expect((await scope.facts({ order: 'oldest', subject: 'Mercury' })).map(({ text }) => text)).toEqual([
        'Mercury melts at -38.8',
      ])
      expect((await scope.graph({ around: 'Quicksilver' })).facts).toHaveLength(1)
    })

    it('[fact-9] a proposal goes on from what is known when it is applied, unless a name was taken meanwhile', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const lives = (subject: string, object: string): Promise<readonly { readonly id: string }[]> =>
        scope.remember({ subject, predicate: 'favourite_city', object })
      const [home] = await lives('Ada', 'Paris')
      await relate(scope, 'Lovelace knows Cid')
      const proposal = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      const [london] = await lives('Lovelace', 'London')
      const applied = await scope.apply(proposal.id)
      expect(applied.facts.map(({ before }) => before.id)).toContain(london?.id)
      expect(await scope.facts({ predicate: 'favourite_city' })).toHaveLength(1)
      await scope.revert(proposal.id)
      expect(await scope.facts({ predicate: 'favourite_city' })).toHaveLength(2)

      const second = await scope.propose({ split: 'Ada', into: { name: 'Countess' }, facts: [home?.id ?? ''] })
      await scope.remember({ subject: { name: 'Cid', aliases: ['Countess'] }, predicate: 'is', object: 'here' })
      await expect(scope.apply(second.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      const third = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      await scope.apply(third.id)
      const fourth = await scope.propose({
        split: 'Ada',
        into: { name: 'Lady', aliases: ['Lovelace'] },
        facts: [home?.id ?? ''],
      })
      await scope.apply(fourth.id)
      await expect(scope.revert(third.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      await scope.revert(fourth.id)
      expect((await scope.revert(third.id)).status).toBe('reverted')
    })
  })
}
