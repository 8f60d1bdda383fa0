import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import type { Message } from '../../src/domain/message.ts'
import type { OpenSubject } from './subject.ts'

async function take(messages: AsyncIterable<Message>, count: number): Promise<readonly Message[]> {
  const taken: Message[] = []
  for await (const message of messages) {
    taken.push(message)
    if (taken.length === count) break
  }
  return taken
}

/** Appends until the watch has what it waits for: nobody knows how long a watch takes to begin. */
async function sayUntil(chat: Session, watched: Promise<readonly Message[]>): Promise<readonly Message[]> {
  let over = false
  const ended = watched.finally(() => (over = true))
  while (!over) {
    await chat.append({ role: 'user', content: 'something' })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return ended
}

/** Watching: every committed message once, in order. */
export function testWatch(open: OpenSubject): void {
  describe('watch', () => {
    it('[log-10] yields what is there after a position, then what comes, once and in order', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      await chat.append(Array.from({ length: 600 }, (_, index) => ({ role: 'user' as const, content: String(index) })))
      const watched = take(chat.watch({ after: 10 }), 640)
      for (let index = 0; index < 50; index++) await chat.append({ role: 'user', content: 'new' })
      expect((await watched).map((message) => message.seq)).toEqual(
        Array.from({ length: 640 }, (_, index) => index + 11),
      )
    })

    it('[log-10] begins at the end of the log by default, also of a session that does not exist yet', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const fresh = take(chat.watch(), 1)
      const [first] = await sayUntil(chat, fresh)
      expect(first?.seq).toBeGreaterThanOrEqual(1)
      const before = await chat.count()
      const later = take(chat.watch(), 1)
      const [second] = await sayUntil(chat, later)
      expect(second?.seq).toBeGreaterThan(before)
    })

    it('[log-10] misses and doubles nothing while writers race', async () => {
      await using memory = await open()
      const chat = memory.scope('a').session('s')
      const watchers = Array.from({ length: 4 }, () => take(chat.watch({ after: 0 }), 200))
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => chat.append({ role: 'user', content: String(index) })),
      )
      for (const watched of await Promise.all(watchers))
        expect(watched.map((message) => message.seq)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    })

    it('[log-10] ends on a signal, on return, and when the memory closes', async () => {
      const memory = await open()
      const chat = memory.scope('a').session('s')
      const controller = new AbortController()
      const aborted = take(chat.watch({ signal: controller.signal }), 1)
      const returned = chat.watch()
      const pending = returned.next()
      const closed = take(chat.watch(), 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.abort()
      await returned.return?.()
      await memory.close()
      expect(await aborted).toEqual([])
      expect(await pending).toEqual({ done: true, value: undefined })
      expect(await closed).toEqual([])
    })
  })
}
