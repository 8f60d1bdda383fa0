import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mapping } from '../../src/api/imports.ts'
import { openMemory } from '../../src/index.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-mapping-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function file(content: unknown): string {
  const path = join(directory, 'export.json')
  writeFileSync(path, JSON.stringify(content, null, 2))
  return path
}

/** As Mem0 fills a schema of its user's. */
const profile = {
  full_name: 'Ada',
  work: { employer: 'Acme', 'since~/': '2021-03-01', years: 5 },
  skills: ['Rust', '', 'SQL', 7],
  notes: [
    { says: 'Prefers email.', labels: ['contact'], until: '2027-01-01T00:00:00Z' },
    { says: null },
    'no note',
    { says: 'Drinks tea.', labels: 'taste' },
  ],
}

const mapping: Mapping = {
  facts: [
    {
      subject: { at: '/full_name' },
      predicate: 'works_for',
      object: { entity: { at: '/work/employer' } },
      validFrom: { at: '/work/since~0~1' },
    },
    { subject: { at: '/full_name' }, predicate: 'years_of_work', object: { at: '/work/years' } },
    { each: '/skills', subject: { inRecord: '/full_name' }, predicate: 'knows', object: { at: '' } },
    {
      each: '/notes',
      text: { at: '/says' },
      subject: { inRecord: '/full_name' },
      tags: { at: '/labels' },
      validTo: { at: '/until' },
    },
    { each: '/nowhere', text: { at: '' } },
    { text: { at: '/__proto__/polluted' } },
  ],
}

it('[imp-1] [imp-2] a dump whose shape its owner chose comes in by a mapping; a dry run says the same; again is no change', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  const path = file(profile)
  // Without one nobody knows what its fields mean.
  expect(await scope.import(path)).toMatchObject({ facts: { new: 0 }, skippedCount: { 'unknown-format': 1 } })
  const dry = await scope.import(path, { mapping, dryRun: true })
  const report = await scope.import(path, { mapping })
  expect({ ...dry, dryRun: false }).toEqual(report)
  expect(report).toMatchObject({ files: [{ format: 'mem0', records: 1 }], facts: { new: 7, present: 0 }, skipped: [] })
  const facts = await scope.facts({ state: ['quarantined'], limit: 100, order: 'oldest' })
  expect(
    facts.map(({ subject, predicate, object, tags, validFrom, validTo }) =>
      [subject, predicate, JSON.stringify(object), ...tags, validFrom ?? validTo ?? ''].join(' ').trim(),
    ),
  ).toEqual([
    'Ada works_for {"entity":"Acme"} 2021-03-01T00:00:00.000Z',
    'Ada years_of_work 5',
    'Ada knows "Rust"',
    'Ada knows "SQL"',
    'Ada knows 7',
    'Ada note "Prefers email." contact 2027-01-01T00:00:00.000Z',
    'Ada note "Drinks tea." taste',
  ])
  expect((await scope.import(path, { mapping, format: 'mem0' })).facts).toEqual({ new: 0, present: 7 })
})

it('[imp-1] of many records each is mapped, and one that has nothing is told of', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const path = file([{ fact: 'Likes tea.' }, { other: 1 }, 'text', { fact: 'Has a dog.' }])
  const report = await memory.scope('a').import(path, { mapping: { facts: [{ text: { at: '/fact' } }] } })
  expect(report).toMatchObject({
    facts: { new: 2 },
    skippedCount: { 'no-content': 2 },
    skipped: [{ place: { item: 2 } }, { place: { item: 3 } }],
  })
})

it.each([
  ['that is no object', 'text'],
  ['without facts', { facts: [] }],
  ['with an unknown field', { facts: [{ txt: 'a' }] }],
  ['that makes nothing', { facts: [{ subject: 'Ada' }] }],
  ['with half a triple', { facts: [{ subject: 'Ada', predicate: 'is' }] }],
  ['with a text and a triple', { facts: [{ text: 'a', predicate: 'is' }] }],
  ['with a path that is no pointer', { facts: [{ text: { at: 'memory' } }] }],
  ['with a broken escape', { facts: [{ text: { at: '/a~2' } }] }],
  ['with two places', { facts: [{ text: { at: '/a', inRecord: '/b' } }] }],
  ['with an empty value', { facts: [{ text: '' }] }],
])('[imp-3] a mapping %s is refused', async (_, given) => {
  await using memory = await openMemory(':memory:', { learn: false })
  await expect(memory.scope('a').import('x', { mapping: given as Mapping })).rejects.toMatchObject({
    code: 'input/invalid',
  })
  await expect(memory.scope('a').import('x', { mapping, format: 'chatgpt' })).rejects.toMatchObject({
    code: 'input/invalid',
  })
})

it('[keep-2] secrets are taken out of imported facts as well', async () => {
  await using memory = await openMemory(':memory:', { learn: false, redact: 'secrets' })
  const scope = memory.scope('a')
  const key = `sk-proj-${'abcdefghij0123456789'.repeat(3)}`
  const path = file({ results: [{ memory: `The key is ${key}`, user_id: 'ada' }] })
  expect((await scope.import(path)).facts).toEqual({ new: 1, present: 0 })
  expect((await scope.import(path)).facts).toEqual({ new: 0, present: 1 })
  const facts = await scope.facts({ state: ['quarantined'], order: 'oldest' })
  expect(facts).toHaveLength(1)
  expect(JSON.stringify(facts)).not.toContain(key)
})

it('[imp-1] warns when memories of several users of Mem0 go into one scope', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const dump = (...users: string[]): string =>
    file({ results: users.map((user) => ({ memory: `${user} likes tea`, user_id: user })) })
  expect(await memory.scope('a').import(dump('ada', 'ada'))).not.toHaveProperty('warnings')
  const several = dump('ada', 'bob', 'cleo', 'dora', 'eve')
  for (const dryRun of [true, false])
    expect((await memory.scope('b').import(several, { dryRun })).warnings).toEqual([
      expect.stringContaining('Memories of 5 users go into one scope ("ada", "bob", "cleo", 2 more)'),
    ])
})

it('[imp-1] reads memories of Mem0 whichever way the client spells its fields', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const dump = (text: string, names: readonly string[]): string => {
    const [user = '', agent = '', end = '', created = ''] = names
    const said = { [created]: '2025-01-01T00:00:00Z' }
    return file({
      results: [
        { memory: `${text} tea`, [user]: 'ada', ...said },
        { memory: `${text} trial`, [user]: 'bob', [end]: '2999-01-01', ...said },
        { memory: `${text} tools`, [agent]: 'cook', ...said },
      ],
    })
  }
  for (const [scope, names] of [
    ['snake', ['user_id', 'agent_id', 'expiration_date', 'created_at']],
    ['camel', ['userId', 'agentId', 'expirationDate', 'createdAt']],
  ] as const) {
    const report = await memory.scope(scope).import(dump('likes', names))
    expect(report.warnings).toEqual([expect.stringContaining('Memories of 2 users go into one scope ("ada", "bob")')])
    const facts = await memory.scope(scope).facts({ state: ['quarantined'], order: 'oldest' })
    expect(facts.map(({ subject, validTo }) => [subject, validTo])).toEqual([
      ['ada', null],
      ['bob', '2999-01-01T00:00:00.000Z'],
      ['cook', null],
    ])
  }
})
