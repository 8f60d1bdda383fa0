import { describe, expect, it } from 'vitest'
import { openMemoryWith } from '../../src/memory/open-memory-with.ts'
import type { ThreadChange } from '../../src/ports/recall-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

const POSTINGS_MAX = 200
/** Distinct words, so that each is a posting. */
const words = (count: number, of = 'w'): string =>
  Array.from({ length: count }, (_, nth) => `${of}${nth.toString(36)}x`).join(' ')
const sizeOf = ({ add }: Pick<ThreadChange, 'add'>): number => add.reduce((sum, { terms }) => sum + terms.length, 0)

/** A memory whose changes of the index are seen, and may be stopped, before they are written. */
async function watched(
  onChange: (nth: number, size: number) => Promise<void> | void,
): Promise<{ readonly store: Store<'stored'>; readonly memory: Awaited<ReturnType<typeof openMemoryWith>> }> {
  const store = await openSqliteStore(':memory:', Date.now)
  let changes = 0
  const change: Store['recall']['change'] = async (wanted) => {
    changes += 1
    await onChange(
      changes,
      wanted.threads.reduce((sum, thread) => sum + sizeOf(thread), 0),
    )
    return store.recall.change(wanted)
  }
  const recall = { ...store.recall, change, postingsPerChange: POSTINGS_MAX }
  return { store, memory: await openMemoryWith({ ...store, recall }, { learn: false }) }
}

const powerCut = (error: unknown): void => expect(error).toMatchObject({ message: 'power cut' })

describe('[walls-240] a message of many words', () => {
  it('is indexed in changes of bounded size, also when it is revised and removed', async () => {
    const sizes: number[] = []
    const { memory } = await watched((_, size) => void sizes.push(size))
    const chat = memory.scope('a').session('s')
    const [long] = await chat.append([
      { role: 'user', content: words(500) },
      { role: 'user', content: 'short' },
    ])
    await memory.settled()
    await chat.revise(long?.id ?? '', { content: words(400, 'v') })
    await memory.settled()
    await memory.scope('a').remember({ subject: 'Ada', predicate: 'notes', object: words(400) })
    await memory.settled()
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(1_200)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(POSTINGS_MAX)
    expect(await memory.verify()).toMatchObject({ ok: true })
    await memory.close()
  })

  it('is neither lost nor doubled when indexing stops anywhere, and when it changes before it goes on', async () => {
    const check = async (failAt: number, then: 'same' | 'revised' | 'removed' | 'forgotten'): Promise<void> => {
      const { memory } = await watched((nth) => {
        if (nth === failAt) throw new Error('power cut')
      })
      const scope = memory.scope('a')
      const stored = await scope.session('s').append([
        { role: 'user', content: 'before' },
        { role: 'user', content: words(350) },
        { role: 'user', content: 'after' },
      ])
      await memory.settled().catch(powerCut)
      const id = stored[1]?.id ?? ''
      if (then === 'revised') await scope.session('s').revise(id, { content: words(150, 'v') })
      if (then === 'removed') await scope.session('s').remove(id)
      if (then === 'forgotten') await scope.forget({ session: 's', message: id })
      await memory.settled().catch(powerCut)
      await memory.settled()
      expect(await memory.verify()).toMatchObject({ ok: true })
      await memory.close()
    }
    for (const failAt of [2, 3, 4]) await check(failAt, 'same')
    for (const then of ['revised', 'removed', 'forgotten'] as const) await check(3, then)
  })

  it('is indexed once when another process does the same meanwhile', async () => {
    for (const at of [1, 3]) {
      const { store, memory } = await watched(async (nth) => {
        if (nth === at) await other.settled()
      })
      const other = await openMemoryWith({ ...store, close: async () => undefined }, { learn: false })
      await memory
        .scope('a')
        .session('s')
        .append({ role: 'user', content: words(350) })
      await memory.settled()
      expect(await memory.verify()).toMatchObject({ ok: true })
      await memory.close()
    }
  })
})
