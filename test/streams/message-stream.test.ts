import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MessagePiece } from '../../src/api/streams.ts'
import { MemoryError } from '../../src/domain/error.ts'
import { type StreamCalls, messageStream } from '../../src/streams/message-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A session that keeps pieces the way a store does, and takes a while for each. */
class Keeper {
  readonly rows = new Map<number, string>()
  written = 0
  attempts = 0
  isFailing = false
  /** Stores the next piece, and then fails as if the connection broke before the response. */
  losesResponse = false
  error = new Error('no connection')
  readonly ends: string[] = []

  get text(): string {
    return [...this.rows]
      .toSorted(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join('')
  }

  readonly calls: StreamCalls = {
    keepPiece: async (_id: string, { from, text, message }: MessagePiece) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      this.attempts += 1
      if (this.isFailing) throw this.error
      expect(from === this.text.length || [...this.rows.keys()].at(-1) === from).toBe(true)
      expect(message === undefined).toBe(from > 0)
      this.rows.set(from, text)
      this.written += text.length
      if (this.losesResponse) {
        this.losesResponse = false
        throw this.error
      }
      return { characters: from + text.length }
    },
    append: async () => this.#end('append'),
    change: async () => ({ messages: this.#end('change') }),
  } as unknown as StreamCalls

  #end(how: string): readonly never[] {
    this.ends.push(how)
    return []
  }
}

describe('a stream', () => {
  it('[contexts-70] stores text within 200 ms, each character once, and the message once at its end', async () => {
    const keeper = new Keeper()
    const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
    let [written, due] = ['', '']
    for (let step = 0; step < 600; step++) {
      const delta = `word${step} `
      stream.write(delta)
      written += delta
      // What was written 200 ms ago.
      if (step % 8 === 0) {
        expect(keeper.text.startsWith(due)).toBe(true)
        due = written
      }
      await vi.advanceTimersByTimeAsync(25)
    }
    await vi.advanceTimersByTimeAsync(200)
    expect(keeper.text).toBe(written)
    // The last piece is written again with more text, so it is short: what is stored in the end is the text, once.
    expect([...keeper.rows.values()].every((text) => text.length < 2_000)).toBe(true)
    expect(keeper.rows.size).toBeLessThan(written.length / 500)
    const ending = stream.end()
    await vi.advanceTimersByTimeAsync(100)
    await ending
    expect(keeper.ends).toEqual(['change'])
  })

  it('[contexts-70] goes on after failures, and loses nothing', async () => {
    const keeper = new Keeper()
    const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
    keeper.isFailing = true
    stream.write('a'.repeat(1_500))
    await vi.advanceTimersByTimeAsync(500)
    expect(keeper.rows.size).toBe(0)
    keeper.isFailing = false
    await vi.advanceTimersByTimeAsync(500)
    stream.write('b')
    await vi.advanceTimersByTimeAsync(200)
    expect(keeper.text).toBe(`${'a'.repeat(1_500)}b`)
    // A stream that is silent for long shows that it is not abandoned.
    const before = keeper.rows.size
    await vi.advanceTimersByTimeAsync(7_000)
    expect(keeper.rows.size).toBe(before)
    const stopping = stream.stop()
    await vi.advanceTimersByTimeAsync(100)
    await stopping
    expect(keeper.ends).toEqual(['change'])
  })

  it('[contexts-70] completes a message whose first piece was stored, but whose response was lost', async () => {
    const keeper = new Keeper()
    const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
    keeper.losesResponse = true
    stream.write('Hello ')
    await vi.advanceTimersByTimeAsync(125)
    stream.write('world')
    const ending = stream.end()
    await vi.advanceTimersByTimeAsync(100)
    await ending
    expect([keeper.text, keeper.ends]).toEqual(['Hello world', ['change']])
  })

  it('[contexts-70] tries less and less often while pieces fail, and keeps no process alive', async () => {
    const keeper = new Keeper()
    const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    keeper.isFailing = true
    stream.write('Hello')
    await vi.advanceTimersByTimeAsync(125)
    expect(timers.mock.results.at(-1)?.value).toSatisfy((timer: NodeJS.Timeout) => !timer.hasRef())
    await vi.advanceTimersByTimeAsync(30_000)
    expect(keeper.attempts).toBeGreaterThan(8)
    expect(keeper.attempts).toBeLessThan(20)
  })

  it.each(['store/closed', 'log/not-found', 'log/conflict', 'input/invalid', 'input/too-large'] as const)(
    '[contexts-70] stores no more pieces after %s',
    async (code) => {
      const keeper = new Keeper()
      const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
      keeper.isFailing = true
      keeper.error = new MemoryError(code, 'Cannot store it', {})
      stream.write('Hello')
      await vi.advanceTimersByTimeAsync(200)
      stream.write(' world')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(keeper.attempts).toBe(1)
      await stream.end()
      expect(keeper.ends).toEqual(['append'])
    },
  )

  it('[contexts-70] appends a message that was written faster than it could be stored', async () => {
    const keeper = new Keeper()
    const stream = messageStream(keeper.calls, { role: 'assistant' }, 'm')
    stream.write('quick')
    await stream.end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([keeper.rows.size, keeper.ends]).toEqual([0, ['append']])
  })
})
