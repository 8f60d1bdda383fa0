import { setTimeout } from 'node:timers/promises'

import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Message } from '../../src/domain/message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { figures, percentile } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { seeded } from './harness/seeded.ts'

const WRITER = new URL('children/burst-writer.ts', import.meta.url)
const NEVER_MS = 2 ** 30
const WAIT_MS_MAX = 5_000

/** Collects what a watch yields, and when. */
class Watcher {
  readonly seen: Message[] = []
  readonly ended: Promise<void>
  readonly #stop = new AbortController()
  readonly #seenAt: number[] = []

  constructor(watch: (signal: AbortSignal) => AsyncIterable<Message>) {
    this.ended = this.#follow(watch(this.#stop.signal))
  }

  async until(count: number): Promise<void> {
    const deadline = performance.now() + WAIT_MS_MAX
    while (this.seen.length < count && performance.now() < deadline) await setTimeout(5)
  }

  /** How long after an acknowledgement the message with that sequence number came; negative: it came first. */
  delayOf(ack: { readonly seq: number; readonly at: number }): number {
    return (this.#seenAt[ack.seq - 1] ?? Number.NaN) - ack.at
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.ended
  }

  async #follow(messages: AsyncIterable<Message>): Promise<void> {
    for await (const message of messages) {
      this.seen.push(message)
      this.#seenAt.push(performance.now())
    }
  }
}

describe('watching other processes', () => {
  beforeAll(() => warm(WRITER))

  it('[log-10] yields every message once and in order, also when the writers are killed and come back', async () => {
    using folder = new Folder()
    const random = seeded()
    const file = folder.file('log.db')
    await using memory = await openMemory(file)
    const session = memory.scope('acme/ada').session('watched')
    const watcher = new Watcher((signal) => session.watch({ after: 0, signal }))
    const acks: { seq: number; at: number }[] = []
    const kills = times({ daily: 12, nightly: 300 })
    for (let kill = 0; kill < kills; kill++) {
      const writers = [0, 1].map(() => new Child(WRITER, [file]))
      for (const [index, writer] of writers.entries()) {
        writer.onLine((line) => acks.push({ seq: (line as { seq: number }).seq, at: performance.now() }))
        await writer.go({ seed: random.seed + kill * 2 + index, bursts: null })
      }
      await setTimeout(60 + random.below(150))
      await Promise.all(writers.map((writer) => writer.kill()))
    }
    // The last one ends in peace: it is the last to leave, and empties the write-ahead log that is watched.
    await new Child(WRITER, [file]).run({ seed: random.seed, bursts: 5 })
    const count = (await session.history()).length
    await watcher.until(count)
    await watcher.stop()
    const delays = acks.map((ack) => watcher.delayOf(ack))
    figures('watching other processes', {
      kills: kills * 2,
      messages: count,
      'delay p50 ms': percentile(delays, 0.5),
      'delay p99 ms': percentile(delays, 0.99),
    })
    expect(watcher.seen.map((message) => message.seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    expect(watcher.seen).toEqual(await session.history())
    expect(Math.max(...acks.map((ack) => ack.seq))).toBeLessThanOrEqual(count)
  })

  it('[log-10] is woken by a message of another process, also when it never looks by itself', async () => {
    // Of this process, background work included: a timer that never comes.
    const timers = vi
      .spyOn(globalThis, 'setInterval')
      .mockImplementation(() => globalThis.setTimeout(() => undefined, NEVER_MS).unref())
    onTestFinished(() => timers.mockRestore())
    using folder = new Folder()
    const file = folder.file('log.db')
    await using memory = await openMemory(file)
    const session = memory.scope('acme/ada').session('watched')
    const watcher = new Watcher((signal) => session.watch({ after: 0, signal }))
    const acks = await new Child(WRITER, [file]).run({ seed: seeded().seed, bursts: 30 })
    await watcher.until(acks.length)
    await watcher.stop()
    expect(watcher.seen).toHaveLength(acks.length)
    expect(timers).toHaveBeenCalled()
  })
})
