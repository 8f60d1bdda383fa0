import { afterEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import { textOf } from '../../src/domain/text-of.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { messageStream } from '../../src/streams/message-stream.ts'

const assistant = { role: 'assistant' } as const

let memory: Memory
afterEach(() => memory.close())

async function chatOf(options: { readonly messageBytesMax?: number } = {}): Promise<Session> {
  memory = await openMemory(':memory:', options)
  return memory.scope('acme/ada').session('s')
}

describe('a stream in a memory', () => {
  it('[contexts-70] is completed after the response to its first piece was lost', async () => {
    const chat = await chatOf()
    const kept = Promise.withResolvers<undefined>()
    const keepPiece: Session['keepPiece'] = async (id, piece) => {
      const answer = await chat.keepPiece(id, piece)
      if (piece.text !== 'Hello ') return answer
      kept.resolve(undefined)
      throw new Error('no connection')
    }
    const calls = { append: chat.append.bind(chat), change: chat.change.bind(chat), keepPiece }
    const stream = messageStream(calls, assistant, 'm')
    stream.write('Hello ')
    await kept.promise
    stream.write('world')
    await stream.end()
    const [message, ...rest] = await chat.history()
    expect(rest).toEqual([])
    expect(message).toMatchObject({ id: 'm', parts: [{ text: 'Hello world' }] })
    expect(message).not.toHaveProperty('incomplete')
  })

  it('[contexts-70] takes no message of the same id for its own', async () => {
    const chat = await chatOf()
    await chat.append({ role: 'user', content: 'Mine', id: 'm' })
    const failed = Promise.withResolvers<undefined>()
    const keepPiece: Session['keepPiece'] = async () => {
      failed.resolve(undefined)
      throw new Error('no connection')
    }
    const calls = { append: chat.append.bind(chat), change: chat.change.bind(chat), keepPiece }
    const stream = messageStream(calls, assistant, 'm')
    stream.write('Hello')
    await failed.promise
    await expect(stream.end()).rejects.toMatchObject({ code: 'log/id-conflict' })
    expect((await chat.history()).map(textOf)).toEqual(['Mine'])
  })

  it('[contexts-70] counts the bytes of its text, and stops with what is stored where more is too large', async () => {
    const chat = await chatOf({ messageBytesMax: 3_000 })
    const refused = Promise.withResolvers<undefined>()
    const stored = Promise.withResolvers<undefined>()
    const keepPiece: Session['keepPiece'] = async (id, piece) => {
      try {
        const answer = await chat.keepPiece(id, piece)
        stored.resolve(undefined)
        return answer
      } catch (error) {
        refused.resolve(undefined)
        throw error
      }
    }
    const calls = { append: chat.append.bind(chat), change: chat.change.bind(chat), keepPiece }
    const stream = messageStream(calls, assistant, 'm')
    stream.write('漢'.repeat(600))
    await stored.promise
    // 1,300 characters, but 3,900 bytes.
    stream.write('漢'.repeat(700))
    await refused.promise
    expect(textOf((await chat.get('m')) ?? {})).toHaveLength(600)
    await expect(stream.end()).rejects.toMatchObject({ code: 'input/too-large' })
    const message = await stream.stop()
    expect(message).toMatchObject({ incomplete: 'stopped', parts: [{ text: '漢'.repeat(600) }] })
  })

  it.each(['message', 'session'] as const)(
    '[contexts-70] leaves no piece behind when its %s is forgotten',
    async (what) => {
      await chatOf()
      const scope = memory.scope('acme/ada')
      for (let round = 0; round < 8; round++) {
        const chat = scope.session(`s${round}`)
        await chat.keepPiece('m', { from: 0, text: 'first ', message: assistant })
        const forgotten = new AbortController()
        const writing = (async () => {
          for (let from = 6; !forgotten.signal.aborted;)
            from = (await chat.keepPiece('m', { from, text: 'secret '.repeat(20) })).characters
        })().catch((error: unknown) => error)
        for (let turns = 0; turns < round * 3; turns++) await new Promise(setImmediate)
        await scope.forget(what === 'message' ? { session: `s${round}`, message: 'm' } : { session: `s${round}` })
        forgotten.abort()
        await writing
      }
      for await (const piece of memory.export()) expect(piece).not.toContain('secret')
    },
  )

  it('[contexts-70] takes no piece in a fork of the session that it is streamed to', async () => {
    const chat = await chatOf()
    await chat.keepPiece('m', { from: 0, text: 'first ', message: assistant })
    const fork = await chat.fork('fork')
    await expect(fork.keepPiece('m', { from: 6, text: 'second' })).rejects.toMatchObject({ code: 'log/conflict' })
    expect(await chat.keepPiece('m', { from: 6, text: 'second' })).toEqual({ characters: 12 })
  })

  it('[contexts-74] is ended by the first write of another process', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    memory = await openMemory(':memory:', { clock: { now: () => now } })
    const chat = memory.scope('acme/ada').session('s')
    await chat.keepPiece('m', { from: 0, text: 'The parcel ', message: assistant })
    await chat.keepPiece('m', { from: 11, text: 'is here.' })
    now += 6_000
    await memory.scope('acme/ada').session('other').append({ role: 'user', content: 'Hello' })
    await memory.settled()
    expect(await chat.get('m')).toMatchObject({ incomplete: 'stopped', parts: [{ text: 'The parcel is here.' }] })
  })

  it('[contexts-74] is ended where its process is gone, and then found by recall', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    memory = await openMemory(':memory:', { clock: { now: () => now } })
    const scope = memory.scope('acme/ada')
    const chat = scope.session('s')
    await chat.keepPiece('m', { from: 0, text: 'The parcel of ', message: assistant })
    await chat.keepPiece('m', { from: 14, text: 'Wilhelmine is in Graz.' })
    await memory.settled()
    expect((await scope.recall('Where is the parcel of Wilhelmine?')).items).toEqual([])
    now += 6_000
    // Looking changes nothing.
    await memory.settled()
    expect(await chat.get('m')).toMatchObject({ incomplete: 'streaming' })
    await scope.session('other').append({ role: 'user', content: 'Hello' })
    await memory.settled()
    expect(await chat.get('m')).toMatchObject({
      incomplete: 'stopped',
      parts: [{ text: 'The parcel of Wilhelmine is in Graz.' }],
    })
    const { items } = await scope.recall('Where is the parcel of Wilhelmine?')
    expect(items).toMatchObject([{ source: { session: 's', id: 'm' } }])
    // Later ones are found when somebody writes to their session.
    await chat.keepPiece('n', { from: 0, text: 'It ', message: assistant })
    await chat.keepPiece('n', { from: 3, text: 'left.' })
    now += 6_000
    await chat.append({ role: 'user', content: 'Hello?' })
    await memory.settled()
    expect(await chat.get('n')).toMatchObject({ incomplete: 'stopped', parts: [{ text: 'It left.' }] })
    for await (const piece of memory.export()) expect(piece).not.toContain('"piece"')
  })
})
