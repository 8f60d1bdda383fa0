import { describe, expect, it } from 'vitest'
import type { MemoryOptions } from '../../src/api/open-memory.ts'
import { moveMemory, restore } from '../../src/archive.ts'
import { openMemory } from '../../src/index.ts'

const POSTGRES = 'postgres://app@127.0.0.1:1/agents'

/** Mistakes in the options of `openMemory`, and what the error says. Nothing is opened. */
const mistakes: readonly (readonly [location: string, options: unknown, says: string])[] = [
  [':memory:', { modle: 1 }, 'unknown option "modle", did you mean "model"?'],
  [':memory:', { postgres: { connections: 5 } }, 'unknown option "postgres"'],
  [':memory:', { key: 'dbk_' }, 'unknown option "key"'],
  [':memory:', null, 'options is null, expected an object'],
  [':memory:', { messageBytesMax: 0 }, 'messageBytesMax is 0, expected a positive whole number'],
  [':memory:', { fileRoots: 'images' }, 'fileRoots is "images", expected an array of directories'],
  [':memory:', { fileRoots: [''] }, 'fileRoots[0] is "", expected a non-empty string'],
  [':memory:', { calibrate: 'no' }, 'calibrate is "no", expected true or false'],
  [':memory:', { tokenizer: 'gpt' }, 'tokenizer is "gpt", expected estimate, o200k_base, cl100k_base or a tokenizer'],
  [':memory:', { tokenizer: { name: 'mine' } }, 'expected an object with name and count(text)'],
  [':memory:', { clock: {} }, 'clock is an object with no keys, expected an object with now()'],
  [':memory:', { onEvent: 1 }, 'onEvent is 1, expected a function'],
  [':memory:', { redact: 'all' }, `redact is "all", expected 'secrets', or an object with message, fact or state`],
  [':memory:', { redact: { text: () => '' } }, 'redact.text is a function, expected message, fact or state'],
  [':memory:', { learn: 'model' }, 'learn is "model", expected the option model beside it'],
  [':memory:', { learn: 'always' }, `learn is "always", expected 'patterns', 'model', false or options`],
  [':memory:', { learn: { deadlineMs: 10 } }, 'learn.model is undefined, expected a model to learn with'],
  [':memory:', { learn: { deadline: 10 } }, 'unknown option "deadline", did you mean "deadlineMs"?'],
  [':memory:', { embedding: { batch: 0.5 } }, 'embedding.batch is 0.5, expected a positive whole number'],
  [':memory:', { summaries: { callsPerHourMax: -1 } }, 'summaries.callsPerHourMax is -1, expected a number, 0 or'],
  [':memory:', { summaries: { prompts: { merge: 'x' } } }, 'unknown option "merge"'],
  [':memory:', { summaries: { prompts: { 'merge-tools': 1 } } }, 'summaries.prompts.merge-tools is 1, expected a text'],
  [':memory:', { summaries: { signal: {} } }, 'expected an AbortSignal'],
  [':memory:', { encryption: { former: 'k' } }, 'encryption.former is "there", expected encryption.content beside it'],
  [POSTGRES, { postgres: { connection: 5 } }, 'unknown option "connection", did you mean "connections"?'],
  [POSTGRES, { postgres: { schema: '' } }, 'postgres.schema is "", expected a name of 1 to 63 bytes'],
  [POSTGRES, { postgres: { partitions: 257 } }, 'postgres.partitions is 257, expected a whole number from 1 to 256'],
  [POSTGRES, { postgres: { migrate: 'agent.db' } }, 'postgres.migrate is "agent.db", expected a postgres:// address'],
  [POSTGRES, { postgres: { accept: ['all'] } }, 'postgres.accept[0] is "all", expected fsync-off'],
  [POSTGRES, { postgres: { tls: { cacert: '' } } }, 'unknown option "cacert"'],
  [`${POSTGRES}?connections=none`, {}, 'postgres.connections is NaN, expected a positive whole number'],
  ['http://127.0.0.1:1', { key: 'k', learn: false }, 'Cannot open a memory behind a server: unknown option "learn"'],
]

describe('[surface-40] a mistake in how a memory is opened', () => {
  it.each(mistakes)('%s with %o', async (location, options, says) => {
    await expect(openMemory(location, options as MemoryOptions)).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringContaining(says) as string,
    })
  })

  it.each([
    { encryption: 'correct horse battery staple' },
    { encryption: ['correct horse battery staple'] },
    { encryption: { content: 'correct horse battery staple', keys: 7 } },
  ])('does not repeat a secret: %o', async (options) => {
    const error = await openMemory(':memory:', options as unknown as MemoryOptions).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'input/invalid' })
    expect(JSON.stringify(error) + String(error)).not.toContain('horse')
  })

  it('is found before a password is used, which the error does not repeat', async () => {
    const options = { postgres: { password: { secret: 'correct horse' } } } as unknown as MemoryOptions
    const error = await openMemory(POSTGRES, options).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: expect.stringContaining('postgres.password is "object"') as string })
    expect(JSON.stringify(error)).not.toContain('horse')
  })

  it('is found in the same way when a backup is restored or a memory is moved', async () => {
    await expect(restore(':memory:', 'x.db')).rejects.toThrow(
      'Cannot restore: backup is ":memory:", expected the path of',
    )
    await expect(restore('a', 'b', { forced: true } as object)).rejects.toThrow('did you mean "force"?')
    await expect(moveMemory('a.db', 'b.db', { too: {} } as object)).rejects.toThrow('did you mean "to"?')
    await expect(moveMemory('a.db', 'b.db', { to: { postgres: {} } })).rejects.toThrow(
      'expected none: it is for postgres:// addresses only',
    )
  })
})

describe('[surface-40] a mistake in a call of the whole memory', () => {
  it('says what would be right', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const refused: readonly (readonly [call: () => unknown, says: string])[] = [
      [
        () => memory.keys.create('acme/ada' as never),
        "expected an object such as { scope: 'acme/ada', can: ['read'] }",
      ],
      [() => memory.keys.create({ scope: 'a', can: ['reed' as 'read'] }), 'can[0] is "reed"'],
      [() => memory.import('all.daybook'[Symbol.iterator] as never), 'for example createReadStream(file)'],
      [() => memory.import('all.daybook' as never), 'source is "all.daybook", expected the pieces of an archive'],
      [() => memory.export({ session: 's' }), 'scope is undefined, expected the scope of the session'],
      [() => memory.backup(':memory:'), 'file is ":memory:", expected the path of a file'],
      [() => memory.scope('a').import('x', { format: 'chatgtp' as 'chatgpt' }), 'did you mean "chatgpt"?'],
      [() => memory.scope('a').importBatch({ session: 's' }), 'expected a session and its messages, or neither'],
      [() => memory.scope('a').importBatch({ session: 's', messages: [{ role: 'user' } as never] }), 'messages[0].id'],
    ]
    for (const [call, says] of refused) await expect((async () => call())()).rejects.toThrow(says)
  })
})
