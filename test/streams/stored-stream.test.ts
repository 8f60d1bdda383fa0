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
})
