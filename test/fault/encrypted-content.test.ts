import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { MemoryError } from '../../src/domain/error.ts'
import type { Memory } from '../../src/api/memory.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import { restore } from '../../src/archive/restore.ts'
import type { Store } from '../../src/ports/store.ts'
import { openKeyFile } from '../../src/stores/sqlite/key-file.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { readArchive, source } from './archive-text.ts'
import { summaries } from './harness/summaries.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-sealed-'))
afterAll(() => rmSync(directory, { recursive: true }))

const master = randomBytes(32)
const encryption = { content: master }
const canary = 'zugunruhe-canary-4711'
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let files = 0
function newFile(): string {
  return join(directory, `${++files}.db`)
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as MemoryError,
  )
  return error === undefined ? 'none' : (error.code ?? String(error))
}

function filesWith(bytes: string | Buffer): readonly string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(bytes))
}

const said = (text: string) => [{ type: 'text', text }]

/** A session with everything in it that a user can say: messages, an image, a revision, a compaction, state, notes. */
async function talk(memory: Memory, name = 's'): Promise<void> {
  const chat = memory.scope('acme/ada').session(name, { description: `about ${canary}` })
  await chat.append(
    [
      { role: 'user', content: `My code word is ${canary}`, name: 'ada' },
      { role: 'user', content: [{ type: 'image', source: image }] },
    ],
    { operationId: 'first' },
  )
  const [stored] = await chat.append({ role: 'assistant', content: `I noted ${canary} down` })
  await chat.revise(stored?.id ?? '', { content: `I noted ${canary} down, twice` })
  for (let turn = 0; turn < 12; turn++)
    await chat.append([
      { role: 'user', content: `${canary} and what about part ${turn}? ${'It is long. '.repeat(40)}` },
      { role: 'assistant', content: `Part ${turn} is fine. ${'So it goes. '.repeat(40)}` },
    ])
  expect((await chat.compact({ policy: summaries, force: true })).type).toBe('compacted')
  await chat.state.set('note', { word: canary })
}

describe('content that is encrypted with a key for each session', () => {
  it('[keep-4] is read as it was written, and stands nowhere in the files', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    await memory.settled()
    const scope = memory.scope('acme/ada')
    const chat = scope.session('s')
    const [, first, second, third] = await chat.history({ limit: 4 })
    expect(first?.parts).toEqual(said(`My code word is ${canary}`))
    expect(third?.parts).toEqual(said(`I noted ${canary} down, twice`))
    expect([...(await chat.blobs([second as NonNullable<typeof second>])).values()].map(Buffer.from)).toEqual([image])
    expect((await scope.sessions()).sessions[0]?.description).toBe(`about ${canary}`)
    expect(await chat.state.get('note')).toMatchObject({ word: canary })
    expect((await chat.search('code word')).length).toBeGreaterThan(0)
    expect(filesWith(canary)).toEqual([])
    expect(filesWith(image.subarray(0, 16))).toEqual([])
    expect(filesWith(image.toString('base64').slice(0, 20))).toEqual([])
    const report = await memory.verify()
    expect(report).toMatchObject({ ok: true, messages: 28, damage: [] })
    expect(report).not.toHaveProperty('sealed')
    await memory.close()
    expect(filesWith(canary)).toEqual([])

    const again = await openMemory(file, { encryption })
    expect((await again.scope('acme/ada').session('s').history({ limit: 2 }))[1]?.parts).toEqual(
      said(`My code word is ${canary}`),
    )
    await again.close()
  })

  it('[keep-4] is not searched by recall, teaches nothing, and is not embedded', async () => {
    const asked: string[] = []
    const memory = await openMemory(':memory:', {
      encryption,
      embedder: async (texts: readonly string[]) => {
        asked.push(...texts)
        return texts.map(() => [1, 0, 0])
      },
    })
    const scope = memory.scope('acme/ada')
    await scope.session('s').append({ role: 'user', content: `My name is Ada and I live in Paris. ${canary}` })
    await scope.recall('another question')
    await memory.settled()
    expect((await scope.recall(`${canary} Paris`)).items).toEqual([])
    expect(await scope.facts()).toEqual([])
    expect(asked.filter((text) => text.includes(canary) && text !== `${canary} Paris`)).toEqual([])
    await memory.close()
  })

  it('[keep-4] makes retries, conflicts, tool calls and forks work as ever', async () => {
    const memory = await openMemory(':memory:', { encryption })
    const scope = memory.scope('a')
    const chat = scope.session('s')
    const [one] = await chat.append({ id: 'm1', role: 'user', content: 'hello' }, { operationId: 'o' })
    expect(await chat.append({ id: 'm1', role: 'user', content: 'hello' }, { operationId: 'o' })).toEqual([one])
    expect(await chat.append({ id: 'm1', role: 'user', content: 'hello' })).toEqual([one])
    expect(await codeOf(chat.append({ id: 'm1', role: 'user', content: 'other' }))).toBe('log/id-conflict')
    expect(await codeOf(chat.append({ role: 'user', content: 'x' }, { operationId: 'o' }))).toBe('log/id-conflict')
    expect(await codeOf(chat.append({ role: 'user', content: 'x' }, { after: 9 }))).toBe('log/conflict')
    await chat.append({ role: 'user', content: [{ type: 'image', source: image }] })
    await chat.fork('f')
    const fork = scope.session('f')
    await fork.append({ role: 'user', content: 'only here' })
    await fork.revise('m1', { content: 'hello again' })
    expect((await fork.history()).map(({ parts }) => parts[0])).toMatchObject([
      { text: 'hello again' },
      { type: 'image' },
      { text: 'only here' },
    ])
    expect((await chat.history())[0]?.parts).toEqual(said('hello'))
    const [, shown] = await fork.history()
    expect((await fork.blobs([shown as NonNullable<typeof shown>])).size).toBe(1)
    // A message that shows what another session has, by its hash alone, has a copy of its own.
    await scope.session('t').append({ role: 'user', content: shown?.parts ?? [] })
    await scope.forget({ session: 's' }, { forks: true })
    const [copied] = await scope.session('t').history()
    expect((await scope.session('t').blobs([copied as NonNullable<typeof copied>])).size).toBe(1)
    expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    await memory.close()
  })

  it('[keep-4] cannot be read from an old backup once the session was forgotten, with the master key and all other sessions intact', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    await talk(memory, 'other')
    const backup = newFile()
    await memory.backup(backup)
    const receipt = await memory.scope('acme/ada').forget({ session: 's' })
    expect(receipt).toMatchObject({ messages: 28, blobs: 1, state: 1, pending: [] })
    expect(await memory.verifyForgotten(receipt, [canary])).toMatchObject({ ok: true, found: [] })
    expect((await memory.scope('acme/ada').session('other').history({ limit: 2 }))[1]?.parts).toEqual(
      said(`My code word is ${canary}`),
    )
    expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
    // Begun again under its name, it has another key.
    await memory.scope('acme/ada').session('s').append({ role: 'user', content: 'anew' })
    await memory.close()

    const restored = newFile()
    await restore(backup, restored)
    const old = await openMemory(restored, { encryption: { content: master, keys: `${file}.keys` } })
    const scope = old.scope('acme/ada')
    expect(await codeOf(scope.session('s').history())).toBe('encryption/key-destroyed')
    expect(await codeOf(scope.session('s').state.get('note'))).toBe('encryption/key-destroyed')
    expect(await codeOf(scope.session('s').append({ role: 'user', content: 'x' }))).toBe('encryption/key-destroyed')
    expect((await scope.session('other').history({ limit: 2 }))[1]?.parts).toEqual(said(`My code word is ${canary}`))
    expect((await scope.sessions()).sessions.map(({ id, description }) => [id, description])).toEqual([
      ['other', `about ${canary}`],
      ['s', null],
    ])
    // The order of what was said can be proved without a key, what it was cannot.
    expect(await old.verify()).toMatchObject({ ok: true, sealed: 28, damage: [] })
    // What nobody can read any more can still be forgotten.
    expect(await scope.forget({ session: 's' })).toMatchObject({ messages: 28, pending: [] })
    await old.close()
  })

  it('[keep-4] loses one message and tells its folds again, sealed', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    const scope = memory.scope('acme/ada')
    const [, first] = await scope.session('s').history({ limit: 2 })
    const receipt = await scope.forget({ message: first?.id ?? '' })
    expect(receipt).toMatchObject({ messages: 1, folds: 1, pending: [] })
    expect(await memory.verifyForgotten(receipt, [canary])).toMatchObject({ ok: true })
    expect(await memory.verify()).toMatchObject({ ok: true, forgotten: 1, damage: [] })
    expect(JSON.stringify(await scope.session('s').window())).not.toContain('My code word')
    await memory.close()
  })

  it('[keep-4] is refused without its key, with another, and to another place in the log', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    await memory.close()

    const locked = await openMemory(file)
    const scope = locked.scope('acme/ada')
    expect(await codeOf(scope.session('s').history())).toBe('encryption/key-needed')
    expect(await codeOf(scope.session('s').append({ role: 'user', content: 'x' }))).toBe('encryption/key-needed')
    expect(await codeOf(scope.session('s').fork('f'))).toBe('encryption/key-needed')
    expect(await codeOf(scope.session('s').state.get('note'))).toBe('encryption/key-needed')
    expect((await scope.recall(canary)).items).toEqual([])
    expect(await locked.verify()).toMatchObject({ ok: true, sealed: 28, damage: [] })
    await locked.close()
    expect(await codeOf(openMemory(file, { encryption: { content: randomBytes(32) } }))).toBe('encryption/wrong-key')

    const raw = new Database(file)
    const bodies = raw.prepare('SELECT seq, body FROM messages ORDER BY seq').all() as { seq: number; body: string }[]
    const swap = raw.prepare('UPDATE messages SET body = ? WHERE seq = ?')
    swap.run(bodies[1]?.body, 4)
    raw.close()
    const moved = await openMemory(file, { encryption })
    expect(await codeOf(moved.scope('acme/ada').session('s').history())).toBe('store/corrupt')
    await moved.close()
  })

  it('[keep-4] does not decrypt in another session, whole rows and values of states neither', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    for (const name of ['acme/ada', 'evil/bob']) {
      const chat = memory.scope(name).session('s')
      await chat.append({ id: 'one', role: 'user', content: `words of ${name}` })
      await chat.state.set('note', `state of ${name}`)
    }
    await memory.scope('evil/bob').session('other').append({ id: 'one', role: 'user', content: 'other words' })
    await memory.close()
    const raw = new Database(file)
    const columns = 'id, at, recorded_at, tokens, counter, salt, digest, chain, body'
    for (const session of [2, 3])
      raw.exec(
        `UPDATE messages SET (${columns}) = (SELECT ${columns} FROM messages WHERE session = ${session - 1}) WHERE session = ${session}`,
      )
    raw.exec(`UPDATE state_entries SET value = (SELECT value FROM state_entries WHERE scope = 'acme/ada')`)
    raw.close()
    const moved = await openMemory(file, { encryption })
    const bob = moved.scope('evil/bob').session('s')
    expect(await codeOf(bob.history())).toBe('store/corrupt')
    expect(await codeOf(bob.get('one'))).toBe('store/corrupt')
    expect(await codeOf(bob.append({ id: 'one', role: 'user', content: 'words of acme/ada' }))).toBe('store/corrupt')
    expect(await codeOf(bob.state.get('note'))).toBe('store/corrupt')
    expect(await codeOf(bob.state.update('note', (value) => value ?? null))).toBe('store/corrupt')
    expect(await codeOf(moved.scope('evil/bob').session('other').history())).toBe('store/corrupt')
    expect(await moved.scope('acme/ada').session('s').state.get('note')).toBe('state of acme/ada')
    await moved.close()
  })

  it('[keep-4] is not forgotten by who has not the key: its data key would stay', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    await memory.close()
    const locked = await openMemory(file)
    await locked.scope('acme/ada').session('plain').append({ role: 'user', content: 'plain' })
    expect(await codeOf(locked.scope('acme/ada').forget({ session: 's' }))).toBe('encryption/key-needed')
    expect(await locked.scope('acme/ada').forget({ session: 'plain' })).toMatchObject({ messages: 1 })
    expect(await LocalMemory.partsOf(locked).store.erasure.unfinished()).toEqual([])
    await locked.close()
    const again = await openMemory(file, { encryption })
    expect(await again.scope('acme/ada').forget({ session: 's' })).toMatchObject({ messages: 28 })
    await again.close()
    const keys = new Database(`${file}.keys`)
    expect(keys.prepare('SELECT id FROM keys').all()).toEqual([])
    keys.close()
  })

  it('[keep-4] has its own key destroyed when it is forgotten, whatever its row says', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    for (const name of ['one', 'two'])
      await memory
        .scope('a')
        .session(name)
        .append({ role: 'user', content: `words of ${name}` })
    const raw = new Database(file)
    raw.exec(`UPDATE sessions SET description = (SELECT description FROM sessions WHERE name = 'one')`)
    raw.close()
    await memory.scope('a').forget({ session: 'two' })
    expect((await memory.scope('a').session('one').history())[0]?.parts).toEqual(said('words of one'))
    await memory.close()
  })

  it('[keep-4] has a key file that is written anew, also after somebody was stopped before that', async () => {
    const keys = newFile()
    const row = { scope: 'a', session: 's', purpose: 'content', master: 'm', wrapped: randomBytes(60) } as const
    const exec = vi.spyOn(Database.prototype, 'exec')
    const written = (): number => exec.mock.calls.filter(([text]) => text === 'VACUUM').length
    const stop = (): void => {
      exec.mockImplementationOnce(() => {
        throw new Error('stopped')
      })
    }
    try {
      const store = await openKeyFile(keys)
      for (const id of ['1', '2', '3', '4']) await store.add({ ...row, id })
      expect(await store.destroy(['1'])).toBe(1)
      expect(written()).toBe(1)
      expect(await store.destroy(['1'])).toBe(0)
      expect(written()).toBe(1)
      stop()
      expect(await codeOf(store.destroy(['2']))).toBe('store/failed')
      expect(await store.destroy(['2'])).toBe(0)
      expect(written()).toBe(3)
      stop()
      expect(await codeOf(store.destroy(['3']))).toBe('store/failed')
      await store.close()
      const again = await openKeyFile(keys)
      expect(written()).toBe(5)
      await again.rewrap([{ id: '4', master: 'n', wrapped: randomBytes(60) }])
      await again.destroy([])
      expect(written()).toBe(6)
      await again.close()
    } finally {
      exec.mockRestore()
    }
  })

  it('[keep-4] has a key file that only its owner may use, whatever mode a copy of it had', async () => {
    const file = newFile()
    const keys = `${file}.keys`
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    expect(statSync(keys).mode & 0o777).toBe(0o600)
    // A second handle in the same process must not lose the locks of the first.
    chmodSync(keys, 0o644)
    const again = await openMemory(file, { encryption })
    expect(statSync(keys).mode & 0o777).toBe(0o600)
    await again.scope('acme/ada').session('s').append({ role: 'user', content: 'still there' })
    await again.close()
    await memory.close()
  })

  it('[keep-4] [keep-3] says no key in an error, wherever somebody put it', async () => {
    for (const key of [master.toString('hex'), master.toString('base64')])
      for (const wrong of [
        key,
        { content: { env: key } },
        { content: { path: key } },
        { content: { command: [key] } },
      ]) {
        const error = await openMemory(':memory:', { encryption: wrong as never }).catch((thrown: unknown) => thrown)
        expect(inspect(error, { depth: null })).not.toContain(key)
        expect(error).toMatchObject({ isMemoryError: true })
      }
  })

  it('[keep-4] gets a new master key by wrapping its data keys again', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await talk(memory)
    await memory.close()
    const next = randomBytes(32)
    const turned = await openMemory(file, { encryption: { content: next, former: master } })
    expect((await turned.scope('acme/ada').session('s').history()).length).toBe(28)
    await turned.close()
    expect(await codeOf(openMemory(file, { encryption }))).toBe('encryption/wrong-key')
    await (await openMemory(file, { encryption: { content: next } })).close()
  })

  it('[keep-4] does not let a session that was begun in the clear go on in the clear', async () => {
    const file = newFile()
    const plain = await openMemory(file)
    await plain.scope('a').session('s').append({ role: 'user', content: 'in the clear' })
    await plain.close()
    const memory = await openMemory(file, { encryption })
    const chat = memory.scope('a').session('s')
    expect((await chat.history())[0]?.parts).toEqual(said('in the clear'))
    expect(await codeOf(chat.append({ role: 'user', content: canary }))).toBe('encryption/not-encrypted')
    await chat.fork('f')
    const fork = memory.scope('a').session('f')
    const [inherited] = await fork.history()
    await fork.revise(inherited?.id ?? '', { content: canary })
    await fork.append({ role: 'user', content: canary })
    expect((await memory.scope('a').recall('clear')).items.length).toBe(1)
    expect((await memory.scope('a').recall(canary)).items).toEqual([])
    await memory.close()
    // What was in the clear is found: the search is none that finds nothing.
    expect(filesWith('in the clear')).not.toEqual([])
    expect(filesWith(canary)).toEqual([])
  })

  it('[keep-4] is exported in the clear, and encrypted again where it is imported', async () => {
    const memory = await openMemory(newFile(), { encryption })
    await talk(memory)
    await talk(memory, 't')
    const archive = await readArchive(memory.export())
    expect(archive).toContain(canary)
    await memory.close()

    const plain = await openMemory(':memory:')
    await plain.import(source(archive))
    expect(await plain.verify()).toMatchObject({ ok: true, messages: 56, damage: [] })
    expect(await plain.scope('acme/ada').session('s').state.get('note')).toMatchObject({ word: canary })
    await plain.close()

    const file = newFile()
    const other = await openMemory(file, { encryption: { content: randomBytes(32) } })
    await other.import(source(archive))
    await other.import(source(archive))
    expect(await other.verify()).toMatchObject({ ok: true, messages: 56, damage: [] })
    expect(await other.scope('acme/ada').session('t').state.get('note')).toMatchObject({ word: canary })
    const [, , shown] = await other.scope('acme/ada').session('t').history({ limit: 3 })
    expect(
      (
        await other
          .scope('acme/ada')
          .session('t')
          .blobs([shown as NonNullable<typeof shown>])
      ).size,
    ).toBe(1)
    await other.close()
    expect(filesWith(canary)).toEqual([])
    expect(filesWith(image.subarray(0, 16))).toEqual([])
  })

  it('[keep-4] has one key for a session that several begin at once, and another once it was forgotten meanwhile', async () => {
    const file = newFile()
    const memories = await Promise.all([1, 2, 3].map(() => openMemory(file, { encryption, learn: false })))
    const chats = memories.map((memory) => memory.scope('x').session('s'))
    for (let round = 0; round < 5; round++) {
      await Promise.all(chats.map((chat) => chat.append({ role: 'user', content: `round ${round}` })))
      for (const chat of chats) expect((await chat.history()).length).toBe(3)
      const keys = new Database(`${file}.keys`, { readonly: true })
      expect(keys.prepare('SELECT count(*) FROM keys').pluck().get()).toBe(1)
      keys.close()
      // The others still have the key at hand: they must not write with it.
      await memories[round % 3]?.scope('x').forget({ session: 's' })
    }
    await Promise.all(chats.map((chat) => chat.append({ role: 'user', content: 'at last' })))
    for (const memory of memories) await memory.close()
    const again = await openMemory(file, { encryption })
    expect((await again.scope('x').session('s').history()).length).toBe(3)
    expect(await again.verify()).toMatchObject({ ok: true, messages: 3 })
    await again.close()
  })

  it('[keep-4] leaves nothing of a data key in the key file, which is never part of a backup', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    for (const name of ['a', 'b', 'c']) await memory.scope('x').session(name).append({ role: 'user', content: name })
    const before = newFile()
    copyFileSync(`${file}.keys`, before)
    const keys = new Database(before, { readonly: true })
    const { wrapped } = keys.prepare(`SELECT wrapped FROM keys WHERE session = 'b'`).get() as { wrapped: Buffer }
    keys.close()
    rmSync(before)
    expect(filesWith(wrapped)).toEqual([`${files - 1}.db.keys`])
    await memory.backup(newFile())
    await memory.scope('x').forget({ session: 'b' })
    expect(filesWith(wrapped)).toEqual([])
    await memory.close()
  })
})

describe('forgetting encrypted content that is cut short', () => {
  it('[keep-4] is finished by whoever comes next, though the keys are gone already', async () => {
    const file = newFile()
    const keys = `${file}.keys`
    const raw = await openSqliteStore(file, Date.now)
    let cut = true
    const store: Store<'stored'> = {
      ...raw,
      erasure: {
        ...raw.erasure,
        erase: (order) => {
          if (!cut) return raw.erasure.erase(order)
          cut = false
          throw new Error('the process ends here')
        },
      },
    }
    const memory = await openMemoryWith(store, { encryption: { content: master, keys } })
    await talk(memory)
    await expect(memory.scope('acme/ada').forget({ session: 's' })).rejects.toThrow('ends here')
    expect(await codeOf(memory.scope('acme/ada').session('s').history())).toBe('encryption/key-destroyed')
    await memory.close()

    const next = await openMemory(file, { encryption: { content: master, keys } })
    await next.settled()
    expect((await next.scope('acme/ada').sessions()).sessions).toEqual([])
    expect(await next.verify()).toMatchObject({ ok: true, sessions: 0 })
    await next.close()
  })

  it.each(['session', 'message'])(
    '[keep-4] of a %s takes the answers along that a server keeps, in old backups too',
    async (kind) => {
      const file = newFile()
      const memory = await openMemory(file, { encryption })
      await talk(memory)
      const [, message] = await memory.scope('acme/ada').session('s').history({ limit: 2 })
      const { access } = LocalMemory.partsOf(memory).store
      const answer = { name: 'n', request: 'r', status: 200, body: `{"said":"${canary}"}`, at: 1 }
      await access.keepAnswer(answer, 0)
      expect(await access.answer('n')).toEqual(answer)
      expect(await access.changeAnswer('n', (row) => row, 0)).toEqual(answer)
      const backup = newFile()
      await memory.backup(backup)
      expect(filesWith(canary)).toEqual([])
      await memory.scope('acme/ada').forget(kind === 'session' ? { session: 's' } : { message: message?.id ?? '' })
      await memory.close()
      const old = await openMemory(backup, { encryption: { content: master, keys: `${file}.keys` } })
      expect(await LocalMemory.partsOf(old).store.access.answer('n')).toMatchObject({ status: 200, body: '' })
      await old.close()
    },
  )

  it('[keep-4] [inspector-12] takes recorded contexts of every scope below along that show it, in old backups too', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption })
    await memory.scope('acme').blocks.set('house-rules', canary)
    const chat = memory.scope('acme/ada').session('s')
    await chat.append({ role: 'user', content: 'Hello' })
    const id = async (): Promise<string> => (await chat.contexts())[0]?.id ?? ''
    await chat.context({ budget: 1_000, blocks: false })
    const plain = await id()
    await chat.context({ budget: 1_000 })
    const borrowing = await id()
    expect(JSON.stringify((await chat.contextAt(borrowing)).messages)).toContain(canary)
    const backup = newFile()
    await memory.backup(backup)
    await memory.scope('acme').forget({ block: 'house-rules' })
    expect((await chat.contextAt(plain)).agrees).toBe(true)
    await memory.close()
    const old = await openMemory(backup, { encryption: { content: master, keys: `${file}.keys` } })
    const before = old.scope('acme/ada').session('s')
    expect((await before.contextAt(plain)).agrees).toBe(true)
    await expect(before.contextAt(borrowing)).rejects.toMatchObject({ code: 'encryption/key-destroyed' })
    await old.close()
  })
})

const inTheMiddle = (column: string): string => `${column} = substr(${column}, 1, 100) || '!' || substr(${column}, 102)`
const atTheEnd = (column: string): string => `${column} = substr(${column}, 1, length(${column}) - 3)`

describe.each([
  ['a message', `UPDATE messages SET ${inTheMiddle('body')} WHERE seq = 2`, { seq: 2, what: 'message' }],
  ['the end of one', `UPDATE messages SET ${atTheEnd('body')} WHERE seq = 2`, { seq: 2, what: 'message' }],
  ['a revision', `UPDATE amendments SET ${inTheMiddle('body')}`, { seq: 3, what: 'revision' }],
  ['the end of one', `UPDATE amendments SET ${atTheEnd('body')}`, { seq: 3, what: 'revision' }],
  ['a description', `UPDATE sessions SET ${inTheMiddle('description')}`, { seq: null, what: 'session' }],
])('damage to encrypted content, in %s (%s)', (_, damage, found) => {
  it('[log-8] [keep-4] is named by verify, refused to who reads it, and can be forgotten', async () => {
    const file = newFile()
    const memory = await openMemory(file, { encryption, learn: false })
    const chat = memory.scope('a').session('s', { description: 'Answer in verse.' })
    const [, said2] = await chat.append(['one', 'two'].map((content) => ({ role: 'user' as const, content })))
    await chat.revise(said2?.id ?? '', { content: 'two, again' })
    await memory.close()
    const raw = new Database(file)
    raw.prepare(damage).run()
    raw.close()

    await using again = await openMemory(file, { encryption, learn: false })
    const scope = again.scope('a')
    expect(await again.verify()).toMatchObject({ ok: false, damage: [{ scope: 'a', session: 's', ...found }] })
    expect(await codeOf(scope.session('s').history())).toBe('store/corrupt')
    expect(await scope.forget({ session: 's' })).toMatchObject({ sessions: ['s'], pending: [] })
    expect(await again.verify()).toMatchObject({ ok: true, sessions: 0 })
  })
})
