import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { adversarialJSON, adversarialString } from '../property/strings.ts'
import { times } from '../tier.ts'
import { freshDatabase } from './database.ts'

const message: fc.Arbitrary<NewMessage> = fc.record({
  role: fc.constant('assistant' as const),
  name: adversarialString,
  tags: fc.array(adversarialString, { maxLength: 2 }),
  metadata: adversarialJSON as fc.Arbitrary<NonNullable<NewMessage['metadata']>>,
  parts: fc.tuple(
    adversarialString.map((text) => ({ type: 'text' as const, text })),
    fc
      .tuple(adversarialString, adversarialString, adversarialString)
      .map(([id, name, args]) => ({ type: 'tool-call' as const, id, name, arguments: args })),
  ),
})

it('[pg-6] gives back exactly what was appended, NUL and halves of characters too', async () => {
  await using database = await freshDatabase()
  const messages = fc.sample(message, {
    numRuns: times({ daily: 500, nightly: 50_000 }),
    seed: Number(process.env['DAYBOOK_SEED'] ?? 20_261_115),
  })
  const shown = (one: Pick<NewMessage, 'name' | 'tags' | 'metadata' | 'parts'>): string =>
    JSON.stringify([one.name, one.tags ?? [], one.metadata, one.parts])
  await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  const chat = memory.scope('a').session('s')
  for (let start = 0; start < messages.length; start += 500) {
    const page = messages.slice(start, start + 500)
    const stored = await chat.append(page)
    expect(stored.map(shown)).toEqual(page.map(shown))
    expect((await chat.history({ after: start, limit: 500 })).map(shown)).toEqual(page.map(shown))
  }
  expect(await memory.verify()).toMatchObject({ ok: true, messages: messages.length })
})

it('[pg-6] takes ids, sessions and scopes as hostile as the door lets through', async () => {
  await using database = await freshDatabase()
  await using memory = await openMemory(database.url, { learn: false, postgres: database.postgres })
  const names = [
    `'; DROP TABLE messages; --`,
    '%_\\',
    '{"a",NULL}',
    'a'.repeat(512),
    '漢'.repeat(300),
    '🦄/..//:.',
    'İß',
    '\ufeff',
  ]
  for (const name of names) {
    const chat = memory.scope('acme/"\\,{}').session(name)
    const [stored] = await chat.append({ role: 'user', content: name, id: name }, { operationId: name })
    expect(stored).toMatchObject({ id: name, seq: 1 })
    expect(await chat.append({ role: 'user', content: name, id: name }, { operationId: name })).toMatchObject([
      { seq: 1 },
    ])
    expect(await chat.get(name)).toMatchObject({ id: name })
  }
  expect(await memory.verify()).toMatchObject({ ok: true, sessions: names.length })
})
