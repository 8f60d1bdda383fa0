import { describe, expect, it } from 'vitest'
import { Gate, type RequestWeight } from '../../src/server/gate.ts'

const LIMITS = { ratePerSecond: 1_000, runningPerKey: 64, waitingPerKey: 8, streamsPerKey: 1 }

/** Lets requests in and counts those that have a place. */
function scene() {
  let now = 0
  let look: (() => void) | undefined
  const gate = new Gate(
    LIMITS,
    () => now,
    (call) => {
      look = call
      return () => (look = undefined)
    },
  )
  const inside: string[] = []
  const leaving: (() => void)[] = []
  const send = (caller: string, weight: RequestWeight, count: number): readonly Promise<void>[] =>
    Array.from({ length: count }, async (_, nth) => {
      leaving.push(await gate.enter(caller, weight))
      inside.push(`${caller} ${nth}`)
    })
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { send, settle, inside, leaving, pass: (ms: number) => (now += ms), idle: () => look?.() }
}

describe('[walls-223] requests of a key', () => {
  it('that take long are worked on a few at a time, in the order in which they came', async () => {
    const { send, settle, inside, leaving } = scene()
    const sent = send('noisy', 'heavy', 12)
    await settle()
    expect(inside).toEqual(['noisy 0', 'noisy 1', 'noisy 2', 'noisy 3'])
    send('quiet', 'heavy', 1)
    await settle()
    expect(inside.splice(4)).toEqual(['quiet 0'])
    for (let turn = 0; turn < 12; turn++) {
      leaving.splice(0).forEach((leave) => leave())
      await settle()
    }
    expect(inside).toEqual(Array.from({ length: 12 }, (_, nth) => `noisy ${nth}`))
    await Promise.all(sent)
  })

  it('that append are worked on together, and a few at a time while other keys are active', async () => {
    const { send, settle, inside, leaving, pass } = scene()
    send('noisy', 'light', 64)
    await settle()
    expect(inside).toHaveLength(64)
    send('quiet', 'light', 1)
    await settle()
    expect(inside).toHaveLength(65)
    leaving.splice(0).forEach((leave) => leave())
    send('noisy', 'light', 20)
    await settle()
    expect(inside).toHaveLength(65 + 8)
    pass(2_000)
    leaving.splice(0).forEach((leave) => leave())
    await settle()
    expect(inside).toHaveLength(65 + 20)
  })

  it('that wait are let in while the server is idle, although those before them still run', async () => {
    const { send, settle, inside, idle } = scene()
    send('slow', 'heavy', 10)
    await settle()
    expect(inside).toHaveLength(4)
    idle()
    await settle()
    expect(inside).toHaveLength(8)
    idle()
    idle()
    await settle()
    expect(inside).toHaveLength(10)
  })

  it('that ask go past others that wait, every second time', async () => {
    const { send, settle, inside, leaving } = scene()
    send('busy', 'heavy', 8)
    send('busy', 'light', 2)
    send('busy', 'question', 2)
    await settle()
    expect(inside.splice(0)).toEqual(['busy 0', 'busy 1', 'busy 2', 'busy 3'])
    const entered: string[] = []
    for (let turn = 0; turn < 5; turn++) {
      leaving.shift()?.()
      await settle()
      entered.push(...inside.splice(0))
    }
    // A question, the one that has waited longest, the other question, and then in order.
    expect(entered.slice(0, 5)).toEqual(['busy 0', 'busy 4', 'busy 1', 'busy 5', 'busy 6'])
  })

  it('that have a place do not wait for a question that has none', async () => {
    const { send, settle, inside, leaving } = scene()
    send('busy', 'heavy', 5)
    send('busy', 'light', 1)
    send('busy', 'question', 2)
    await settle()
    expect(inside.splice(0)).toHaveLength(4)
    const entered: number[] = []
    // A question overtakes the fifth, which then goes before the other question. With it goes the light one, which has a place.
    for (let turn = 0; turn < 2; turn++) {
      leaving.shift()?.()
      await settle()
      entered.push(inside.splice(0).length)
    }
    expect(entered).toEqual([1, 2])
  })

  it('that take minutes do not keep its other requests waiting, also while other keys are active', async () => {
    const { send, settle, inside, leaving } = scene()
    send('other', 'light', 1)
    send('app', 'long', 3)
    send('app', 'question', 1)
    send('app', 'heavy', 1)
    await settle()
    expect(inside.splice(0)).toEqual(['other 0', 'app 0', 'app 0'])
    // The question leaves: the context is built beside the first import, before the second begins.
    leaving.pop()?.()
    await settle()
    expect(inside.splice(0)).toEqual(['app 0'])
    for (let turn = 0; turn < 3; turn++) {
      leaving.splice(0).forEach((leave) => leave())
      await settle()
    }
    expect(inside).toEqual(['app 1', 'app 2'])
  })

  it('are refused when too many run or wait', async () => {
    const { send } = scene()
    const sent = send('noisy', 'heavy', 64 + 8 + 1)
    await expect(sent.at(-1)).rejects.toMatchObject({ code: 'server/overloaded' })
  })
})
