import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-input-'))
let memory: Memory
let chat: Session

beforeAll(async () => {
  memory = await openMemory(join(directory, 'memory.db'))
  chat = memory.scope('a').session('s')
  await chat.append({ role: 'user', content: 'already here' })
})
afterAll(async () => {
  await memory.close()
  rmSync(directory, { recursive: true })
})

const user = (extra: object): NewMessage => ({ role: 'user', content: 'x', ...extra }) as NewMessage
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

const badMessages: readonly (readonly [what: string, message: unknown, mentions: RegExp])[] = [
  ['no message', undefined, /message/],
  ['a string', 'hello', /role and content/],
  ['unknown role', user({ role: 'robot' }), /role is "robot", expected system, user/],
  ['missing role', { content: 'x' }, /role/],
  ['unknown part', { role: 'user', parts: [{ type: 'txt', text: 'x' }] }, /did you mean "text"/],
  ['part without type', { role: 'user', parts: [{ text: 'x' }] }, /parts\[0\]\.type/],
  ['unknown field', user({ metdata: {} }), /did you mean "metadata"/],
  ['field of another dialect', { role: 'assistant', tool_calls: [] }, /did you mean "toolCalls"/],
  ['unknown field of a part', { role: 'user', parts: [{ type: 'text', text: 'x', txt: 'y' }] }, /did you mean "text"/],
  ['empty content', user({ content: '' }), /content/],
  ['no content', { role: 'user' }, /content/],
  ['empty parts', { role: 'user', parts: [] }, /content/],
  ['only empty text', { role: 'user', parts: [{ type: 'text', text: '' }] }, /content/],
  ['content and parts', { role: 'user', content: 'x', parts: [{ type: 'text', text: 'x' }] }, /not both/],
  ['text that is no string', { role: 'user', parts: [{ type: 'text', text: 7 }] }, /a string/],
  [
    'a part the role cannot have',
    { role: 'user', parts: [{ type: 'tool-call', id: 'c', name: 'f', arguments: '{}' }] },
    /a user message can have/,
  ],
  ['tool call without id', { role: 'assistant', toolCalls: [{ name: 'f', arguments: '{}' }] }, /toolCalls\[0\]\.id/],
  [
    'tool call with empty name',
    { role: 'assistant', toolCalls: [{ id: 'c', name: '', arguments: '{}' }] },
    /non-empty/,
  ],
  [
    'tool call with arguments that are no object',
    { role: 'assistant', toolCalls: [{ id: 'c', name: 'f', arguments: 3 }] },
    /arguments/,
  ],
  ['agent call without request', { role: 'assistant', agentCalls: [{ agent: 'helper' }] }, /request/],
  ['toolCallId on a user message', user({ toolCallId: 'c' }), /role tool/],
  ['metadata that is no object', user({ metadata: [1] }), /JSON object/],
  ['metadata with a Date', user({ metadata: { when: new Date() } }), /metadata\.when/],
  ['metadata with NaN', user({ metadata: { deep: [Number.NaN] } }), /metadata\.deep\[0\]/],
  ['metadata with a function', user({ metadata: { f: () => 1 } }), /JSON value/],
  ['metadata with a big integer', user({ metadata: { n: 1n } }), /JSON value/],
  ['cyclic metadata', user({ metadata: cyclic }), /64 levels/],
  ['tags that are no strings', user({ tags: [1] }), /tags/],
  ['an empty id', user({ id: '' }), /id/],
  ['an id with NUL', user({ id: 'a\0b' }), /control/],
  ['an id with half a character', user({ id: '\ud800' }), /well-formed/],
  ['a time that is none', user({ at: 'yesterday-ish' }), /ISO 8601/],
  [
    'an image that is no base64',
    { role: 'user', parts: [{ type: 'image', source: { type: 'base64', base64: 'no base64!' } }] },
    /base64/,
  ],
  [
    'an image from a file: URL',
    { role: 'user', images: ['file:///etc/passwd'] },
    /path, an http\(s\) URL or a data URL/,
  ],
  [
    'a file without a media type',
    { role: 'user', parts: [{ type: 'file', source: new Uint8Array([1]) }] },
    /media type/,
  ],
  [
    'provider fields that are no objects',
    { role: 'user', parts: [{ type: 'text', text: 'x', provider: { openai: 'id' } }] },
    /provider\.openai/,
  ],
]

describe('[show-6] [show-7] a bad message is refused with its reason, and nothing is written', () => {
  for (const [what, message, mentions] of badMessages) {
    it(what, async () => {
      const before = await chat.stats()
      const good = { role: 'user', content: 'good' } as const
      await expect(chat.append(message as NewMessage)).rejects.toMatchObject({
        name: 'MemoryError',
        code: 'input/invalid',
        message: expect.stringMatching(mentions) as string,
      })
      await expect(chat.append([good, message as NewMessage])).rejects.toMatchObject({ code: 'input/invalid' })
      expect(await chat.stats()).toEqual(before)
    })
  }

  it('over-size message, by default over 16 MiB', async () => {
    await expect(chat.append({ role: 'user', content: 'x'.repeat(16 * 1024 * 1024) })).rejects.toMatchObject({
      code: 'input/too-large',
      details: { max: 16_777_216 },
    })
    await expect(
      chat.append({ role: 'user', content: 'x', images: [new Uint8Array(17 * 1024 * 1024)] }),
    ).rejects.toMatchObject({ code: 'input/too-large' })
    await using small = await openMemory(':memory:', { messageBytesMax: 100 })
    await expect(
      small
        .scope('a')
        .session('s')
        .append({ role: 'user', content: 'x'.repeat(100) }),
    ).rejects.toMatchObject({ code: 'input/too-large' })
    expect(
      (
        await small
          .scope('a')
          .session('s')
          .append({ role: 'user', content: 'x'.repeat(20) })
      ).length,
    ).toBe(1)
  })
})

describe('[show-6] options and arguments', () => {
  const refused: readonly (readonly [what: string, call: () => unknown, mentions: RegExp])[] = [
    [
      'unknown option of append',
      () => chat.append({ role: 'user', content: 'x' }, { operationID: '1' } as object),
      /did you mean "operationId"/,
    ],
    ['unknown option of history', () => chat.history({ limt: 3 } as object), /did you mean "limit"/],
    ['an option that is nothing like any', () => chat.history({ zebra: 3 } as object), /expected one of limit, before/],
    ['unknown option of openMemory', () => openMemory(':memory:', { token: 'x' } as object), /unknown option "token"/],
    ['recent(0)', () => chat.recent(0), /positive whole number/],
    ['recent(-1)', () => chat.recent(-1), /positive whole number/],
    ['recent(1.5)', () => chat.recent(1.5), /whole number/],
    ['byRole of an unknown role', () => chat.byRole('robot' as 'user'), /system, user, assistant, tool/],
    ['byRole with n = 0', () => chat.byRole('user', 0), /positive whole number/],
    ['history with limit -5', () => chat.history({ limit: -5 }), /positive whole number/],
    ['history after a negative number', () => chat.history({ after: -1 }), /0 or greater/],
    ['sessions with limit 0', () => memory.scope('a').sessions({ limit: 0 }), /positive whole number/],
    ['append after a fraction', () => chat.append({ role: 'user', content: 'x' }, { after: 0.5 }), /0 or greater/],
    ['search for a number', () => chat.search(7 as unknown as string), /a string/],
    ['asOf nonsense', () => chat.window({ asOf: 'soon' }), /ISO 8601/],
    ['asOf a negative version', () => chat.window({ asOf: { version: -1 } }), /0 or greater/],
    ['asOf null', () => chat.window({ asOf: null as unknown as Date }), /asOf/],
    [
      'asOf words, on a session that does not exist',
      () => memory.scope('a').session('none').window({ asOf: 'version 1' }),
      /ISO 8601/,
    ],
    ['fork at null', () => chat.fork('t', { at: null as unknown as Date }), /at is null/],
    ['watch with a signal that is none', () => chat.watch({ signal: 'x' as unknown as AbortSignal }), /AbortSignal/],
    ['blobs of what is no message', () => chat.blobs([{ role: 'user', content: 'x' } as never]), /messages\[/],
    [
      'a context in no dialect',
      async () => (await chat.context({ budget: 1_000 })).as(true as never),
      /dialect is true/,
    ],
    ['an empty location', () => openMemory(''), /file path/],
    ['a location that is a URL', () => openMemory('gopher://x'), /file path/],
    ['a tokenizer nobody knows', () => openMemory(':memory:', { tokenizer: 'gpt-2' as 'estimate' }), /o200k_base/],
    ['usage without a count', () => chat.usage({ model: 'm', inputTokens: Number.NaN }), /inputTokens/],
  ]
  for (const [what, call, mentions] of refused) {
    it(`${what} is refused`, async () => {
      await expect((async () => call())()).rejects.toMatchObject({
        code: 'input/invalid',
        message: expect.stringMatching(mentions) as string,
      })
    })
  }
})

describe('[show-6] scopes and session ids are accepted or refused as documented, and never become a path', () => {
  const accepted = [
    '..',
    '.',
    'a/b',
    '../../etc/passwd',
    'with:colon',
    'emoji 🦄',
    'x'.repeat(300),
    'x'.repeat(512),
    ' ',
    'CON',
    'ends with dot.',
    'Ångström',
  ]
  const refused = ['', 'x'.repeat(513), 'nul\0', 'line\nbreak', '\udc00', 7, null, undefined]

  for (const id of accepted) {
    it(`session ${JSON.stringify(id).slice(0, 30)} is accepted`, async () => {
      const session = memory.scope('ids').session(id)
      const [stored] = await session.append({ role: 'user', content: id })
      expect(await session.history()).toEqual([stored])
      expect((await memory.scope('ids').sessions({ limit: 100 })).sessions.map((one) => one.id)).toContain(id)
    })
  }
  for (const id of refused) {
    it(`session ${JSON.stringify(id)?.slice(0, 30)} is refused`, () => {
      expect(() => memory.scope('ids').session(id as string)).toThrow(
        expect.objectContaining({ code: 'input/invalid' }) as Error,
      )
    })
  }
  for (const path of ['a', 'acme/ada', 'emoji/🦄', 'with space/ok', 'x'.repeat(300)]) {
    it(`scope ${JSON.stringify(path).slice(0, 30)} is accepted`, () => expect(memory.scope(path).name).toBe(path))
  }
  for (const path of [
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    'a/../b',
    '..',
    '.',
    'a/./b',
    'a/ /b',
    ' a',
    'a/b ',
    'a\u200b',
    'a\u202eb',
    'x'.repeat(513),
    'a\0',
    Array.from({ length: 17 }, () => 'a').join('/'),
    5,
  ]) {
    it(`scope ${JSON.stringify(path).slice(0, 30)} is refused`, () => {
      expect(() => memory.scope(path as string)).toThrow(expect.objectContaining({ code: 'input/invalid' }) as Error)
    })
  }

  it('leaves nothing but the database in its directory', () => {
    expect(readdirSync(directory).toSorted()).toEqual(['memory.db', 'memory.db-shm', 'memory.db-wal'])
  })
})

describe('[show-6] a closed memory', () => {
  it('refuses every call with store/closed, and closes twice', async () => {
    const closed = await openMemory(':memory:')
    const session = closed.scope('a').session('s')
    await session.append({ role: 'user', content: 'x' })
    await closed.close()
    await closed.close()
    const calls: readonly (() => unknown)[] = [
      () => session.append({ role: 'user', content: 'y' }),
      () => session.append([]),
      () => session.history(),
      () => session.window(),
      () => session.recent(1),
      () => session.byRole('user'),
      () => session.search('x'),
      () => session.get('x'),
      () => session.count(),
      () => session.stats(),
      () => session.revise('x', { content: 'y' }),
      () => session.remove('x'),
      () => session.clear(),
      () => session.fork('t'),
      () => session.watch(),
      () => session.blobs([]),
      () => session.usage({ model: 'm', inputTokens: 1 }),
      () => closed.scope('a').sessions(),
      () => closed.verify(),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toMatchObject({ code: 'store/closed' })
  })

  it('stores what was handed over before it was closed', async () => {
    const file = join(directory, 'closing.db')
    const closing = await openMemory(file)
    const session = closing.scope('a').session('s')
    const appends = Array.from({ length: 20 }, (_, index) => session.append({ role: 'user', content: String(index) }))
    await Promise.all([closing.close(), ...appends])
    await using reopened = await openMemory(file)
    expect(await reopened.scope('a').session('s').count()).toBe(20)
  })
})
