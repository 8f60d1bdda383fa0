import { describe, expect, it } from 'vitest'
import type { Scope } from '../memory/scope.ts'
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
      await scope.remember({ subject: 'Ada', predicate: 'lives_in', object: 'Paris' })
      await scope.remember({ subject: 'Lovelace', predicate: 'lives_in', object: 'London', validFrom: '2020-01-01' })
      const shown = async (): Promise<unknown> => [
        (await scope.facts({ includeClosed: true, state: ['current', 'closed', 'retracted'] })).map(
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
      expect((await scope.facts({ subject: 'Lovelace', predicate: 'knows' })).map(({ text }) => text)).toEqual([
        'Ada knows Bob',
      ])
      expect((await scope.facts({ predicate: 'knows', object: { entity: 'Bob' } }))[0]?.sourceCount).toBe(2)
      expect(await scope.facts({ subject: 'Ada', predicate: 'lives_in' })).toHaveLength(1)
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
      const [, melts, drank] = await scope.facts()
      const split = {
        split: 'Mercury',
        into: { name: 'Mercury (metal)', aliases: ['Hg'] },
        facts: [melts?.id ?? '', drank?.id ?? ''],
      }
      const proposal = await scope.propose(split)
      await scope.apply(proposal.id)
      expect((await scope.facts({ subject: 'Mercury' })).map(({ text }) => text)).toEqual(['Mercury orbits Sun'])
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
      expect(await scope.facts()).toEqual(await scope.facts({ asOf: { version } }))
      expect(await scope.consolidate()).toEqual([])
      expect(await scope.proposals({ status: 'open' })).toHaveLength(3)
      const duplicates = proposals.find(({ kind }) => kind === 'duplicates')
      const before = await scope.facts({ subject: 'Ada' })
      await scope.apply(duplicates?.id ?? '')
      expect((await scope.facts({ subject: 'Ada' })).map(({ object, sourceCount }) => [object, sourceCount])).toEqual([
        ['verbose output', 2],
        ['tea', 1],
      ])
      await scope.revert(duplicates?.id ?? '')
      const after = await scope.facts({ subject: 'Ada' })
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
      await relate(scope, 'Lovelace knows Cid')
      await expect(scope.apply(proposal.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      expect((await scope.entities()).map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Cid', 'Lovelace'])
      const second = await scope.propose({ merge: ['Ada', 'Lovelace'] })
      await scope.apply(second.id)
      const [moved] = await scope.facts({ object: { entity: 'Cid' } })
      await scope.retract(moved?.id ?? '')
      await expect(scope.revert(second.id)).rejects.toMatchObject({ code: 'knowledge/conflict' })
      await expect(scope.apply('unknown')).rejects.toMatchObject({ code: 'knowledge/not-found' })
    })
  })
}
