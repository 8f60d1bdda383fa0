import { expect, it } from 'vitest'
import { findCertainSecrets } from '../../src/doctor/rules/find-secrets.ts'
import { withoutSecrets } from '../../src/domain/secrets.ts'
import { MemoryError, openMemory } from '../../src/index.ts'

const letters = (length: number): string => 'aB3dE6gH9jK2'.repeat(30).slice(0, length)

const secrets = [
  `sk-${'ant'}-api03-${letters(64)}`,
  `sk-${'proj'}-${letters(48)}`,
  `gh${'p_'}${letters(36)}`,
  `AK${'IA'}ABCDEFGHIJKLMNOP`,
  `AI${'za'}${letters(35)}`,
  `xo${'xb'}-1234567890-${letters(24)}`,
  `ey${'J'}${letters(20)}.eyJ${letters(40)}.${letters(43)}`,
]

it('[keep-2] a redactor sees each message and fact before anything of it is stored, and may change or refuse it', async () => {
  const seen: unknown[] = []
  await using memory = await openMemory(':memory:', {
    learn: false,
    redact: {
      message: async (message) => {
        seen.push(message)
        if (JSON.stringify(message).includes('forbidden'))
          throw new MemoryError('input/invalid', 'Cannot append: it is forbidden', {})
        return JSON.parse(JSON.stringify(message).replaceAll('Ada', 'A.')) as typeof message
      },
      fact: (fact) => JSON.parse(JSON.stringify(fact).replaceAll('Ada', 'A.')) as typeof fact,
    },
  })
  const scope = memory.scope('acme')
  const chat = scope.session('chat', { description: 'For Ada' })
  const given = { role: 'user' as const, content: 'I am Ada', metadata: { who: 'Ada' } }
  const first = chat.append(given)
  const second = chat.append({ role: 'user', content: 'second' })
  expect((await first)[0]).toMatchObject({ seq: 2, metadata: { who: 'A.' }, parts: [{ text: 'I am A.' }] })
  expect((await second)[0]?.seq).toBe(3)
  expect(given.metadata.who).toBe('Ada')
  await expect(chat.append({ role: 'user', content: 'forbidden' })).rejects.toThrow('it is forbidden')
  await chat.revise((await second)[0]?.id ?? '', { content: 'Ada again' })
  expect(await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })).toMatchObject([{ subject: 'A.' }])
  expect(
    await memory.verifyForgotten({ id: 'x' } as never, ['I am Ada', 'Ada again', 'forbidden', 'For Ada']),
  ).toMatchObject({
    found: [],
  })
  expect(seen.length).toBeGreaterThanOrEqual(4)
})

it('[keep-2] the scrubber takes secrets out and leaves the rest', async () => {
  await using memory = await openMemory(':memory:', { learn: false, redact: 'secrets' })
  const chat = memory.scope('acme').session('chat')
  await chat.append(secrets.map((secret) => ({ role: 'user' as const, content: `use ${secret} for it` })))
  await chat.append([
    { role: 'user', content: 'the database is postgres://ada:Hunter2Hunter2@db.example.com/app' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'login', arguments: '{"password":"Tr0ub4dor-and-3","user":"ada"}' }],
    },
    { role: 'tool', toolCallId: 'c', content: 'ok' },
    { role: 'user', content: 'x', metadata: { apiKey: 'short-one-99' } },
  ])
  const samples = [...secrets, 'Hunter2Hunter2', 'Tr0ub4dor-and-3', 'short-one-99']
  expect(await memory.verifyForgotten({ id: 'x' } as never, samples)).toMatchObject({ found: [] })
  const history = await chat.history()
  expect(JSON.stringify(history[8]?.parts)).toContain('"user\\":\\"ada\\"')
  const call = history[8]?.parts[0]
  expect(call?.type === 'tool-call' ? JSON.parse(call.arguments) : undefined).toEqual({
    password: '[secret: password]',
    user: 'ada',
  })
  expect(JSON.stringify(history[7]?.parts)).toContain(
    'postgres://ada:[secret: password in an address]@db.example.com/app',
  )
})

it("[keep-2] the scrubber looks into what is the caller's own, whatever its fields are called", async () => {
  await using memory = await openMemory(':memory:', { learn: false, redact: 'secrets' })
  const chat = memory.scope('acme').session('chat')
  const at = (index: number): string => secrets[index] ?? ''
  await chat.append([
    { role: 'user', content: 'x', metadata: { source: at(0), deep: { id: at(1) } } },
    {
      role: 'assistant',
      toolCalls: [{ id: 'call-1', name: 'fetch', arguments: { source: at(2), type: 'url' } }],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call-1', output: { type: 'json', value: { id: at(3), hash: at(4) } } }],
    },
    { role: 'user', content: { source: at(5) } },
    { role: 'user', data: { provider: at(6) } },
  ])
  expect(await memory.verifyForgotten({ id: 'x' } as never, secrets)).toMatchObject({ found: [] })
  const [, call, result] = await chat.history()
  expect(call?.parts).toMatchObject([{ type: 'tool-call', id: 'call-1', arguments: expect.stringContaining('"url"') }])
  expect(result?.parts).toMatchObject([{ type: 'tool-result', callId: 'call-1' }])
})

it('[keep-2] the scrubber takes secrets out of values, notes and tasks of a state', async () => {
  await using memory = await openMemory(':memory:', { learn: false, redact: 'secrets' })
  const { state } = memory.scope('acme').session('chat')
  const at = (index: number): string => secrets[index] ?? ''
  await state.set('deploy', { source: at(0), list: [{ id: at(1) }], plain: 'words', count: 3, none: null })
  await state.set('password', 'Tr0ub4dor-and-3')
  await state.update('later', () => `use ${at(2)}`)
  await state.components({ part: { save: () => at(3), prepare: () => () => undefined } }).saveTo('component')
  const note = await state.notes.add({ text: `the key is ${at(4)}`, tags: ['plain'] })
  expect(note.text).toBe('the key is [secret: Google key]')
  await state.notes.update(note.id, { text: `now it is ${at(5)}` })
  expect(await state.notes.done(note.id)).toMatchObject({ done: true, tags: ['plain'] })
  const task = await state.tasks.add({ description: `log in with ${at(6)}` })
  await state.tasks.fail(task.id, `refused ${at(0)}`)
  expect(await memory.verifyForgotten({ id: 'x' } as never, [...secrets, 'Tr0ub4dor-and-3'])).toMatchObject({
    found: [],
  })
  expect(await state.get('deploy')).toMatchObject({ plain: 'words', count: 3, none: null })
})

it('[keep-2] a redactor sees values, notes and tasks of a state, and may change or refuse them', async () => {
  const seen: unknown[] = []
  await using memory = await openMemory(':memory:', {
    learn: false,
    redact: {
      state: async ({ kind, key, value }) => {
        seen.push([kind, key === 'who' ? key : 'id'])
        if (JSON.stringify(value).includes('forbidden'))
          throw new MemoryError('input/invalid', 'Cannot store: it is forbidden', {})
        if (JSON.stringify(value).includes('nothing')) return undefined as never
        return JSON.parse(JSON.stringify(value).replaceAll('Ada', 'A.')) as typeof value
      },
    },
  })
  const { state } = memory.scope('acme').session('chat')
  const given = { name: 'Ada' }
  expect(await state.set('who', given)).toMatchObject({ value: { name: 'A.' } })
  expect(given).toEqual({ name: 'Ada' })
  await state.set('who', null)
  const note = await state.notes.add({ text: 'Ada called', tags: ['Ada'] })
  expect(note).toMatchObject({ text: 'A. called', tags: ['A.'] })
  await state.notes.update(note.id, { tags: ['Ada again'] })
  await state.notes.done(note.id)
  const task = await state.tasks.add({ description: 'call Ada' })
  expect(await state.tasks.cancel(task.id, 'Ada is away')).toMatchObject({ description: 'call A.' })
  for (const attempt of [
    state.set('who', 'forbidden'),
    state.notes.add('forbidden'),
    state.notes.update(note.id, { text: 'forbidden' }),
    state.tasks.add({ description: 'forbidden' }),
  ])
    await expect(attempt).rejects.toThrow('it is forbidden')
  await expect(state.set('who', 'nothing')).rejects.toMatchObject({ code: 'input/invalid' })
  expect(await memory.verifyForgotten({ id: 'x' } as never, ['Ada ', '"Ada"', 'forbidden'])).toMatchObject({
    found: [],
  })
  expect(seen.slice(0, 7)).toEqual([
    ['value', 'who'],
    ['value', 'who'],
    ['note', 'id'],
    ['note', 'id'],
    ['task', 'id'],
    ['task', 'id'],
    ['value', 'who'],
  ])
})

it('[keep-2] texts without secrets stay as they are', () => {
  const plain = [
    'My password is not written here; please reset the password of the account.',
    'The key sk-learn is a library, and npm_config_cache is a variable.',
    'task-force-one, risk-proj-management, https://example.com:8080/path?token=abc',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b and uuid 018f5c2e-7b3a-7c1d-9a2b-3c4d5e6f7a8b',
    'see ssh://git@example.com/repo and mailto:ada@example.com',
  ]
  for (const text of plain) expect(withoutSecrets(text)).toBe(text)
  const started = withoutSecrets(`${'password'.repeat(20_000)} ${'a://b:'.repeat(20_000)}`)
  expect(started.length).toBeGreaterThan(0)
})

it('[keep-2] the scrubber and the doctor know the same secrets; behind "password:" the scrubber also takes plain words', () => {
  for (const text of [
    `use gsk_${letters(52)}`,
    `Authorization: Bearer ${letters(40)}`,
    `SG.${letters(22)}.${letters(43)}`,
  ]) {
    expect(findCertainSecrets(text)).toHaveLength(1)
    expect(withoutSecrets(text)).toContain('[secret: ')
    expect(withoutSecrets(withoutSecrets(text))).toBe(withoutSecrets(text))
  }
  expect(withoutSecrets('password: correcthorsebattery')).toBe('password: [secret: password]')
  expect(findCertainSecrets('password: correcthorsebattery')).toEqual([])
  expect(withoutSecrets('password = <your password>')).toBe('password = <your password>')
  const unclosed = `-----BEGIN PRIVATE KEY-----\n${letters(200)}`
  expect(withoutSecrets(unclosed)).toBe('[secret: private key]')
})
