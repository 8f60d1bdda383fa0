import { expect, it } from 'vitest'
import { findSecrets } from '../../src/doctor/rules/find-secrets.ts'
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
    expect(findSecrets(text)).toHaveLength(1)
    expect(withoutSecrets(text)).toContain('[secret: ')
    expect(withoutSecrets(withoutSecrets(text))).toBe(withoutSecrets(text))
  }
  expect(withoutSecrets('password: correcthorsebattery')).toBe('password: [secret: password]')
  expect(findSecrets('password: correcthorsebattery')).toEqual([])
  expect(withoutSecrets('password = <your password>')).toBe('password = <your password>')
  const unclosed = `-----BEGIN PRIVATE KEY-----\n${letters(200)}`
  expect(withoutSecrets(unclosed)).toBe('[secret: private key]')
})
