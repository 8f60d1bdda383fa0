import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import type { ScopeEvent } from '../../src/api/watching.ts'
import type { Message } from '../../src/domain/message.ts'
import type { OpenSubject } from './subject.ts'

/** Reads events until what came is all that is wanted. */
async function readUntil(
  events: AsyncIterable<ScopeEvent>,
  isAll: (seen: readonly ScopeEvent[]) => boolean,
  seen: ScopeEvent[] = [],
): Promise<readonly ScopeEvent[]> {
  for await (const event of events) {
    seen.push(event)
    if (isAll(seen)) break
  }
  return seen
}

function placeOf(event: ScopeEvent): string {
  if (event.type === 'message') return `message ${event.session} ${event.message.seq}`
  if (event.type === 'change') return `${event.change} ${event.session}`
  if (event.type === 'fact') return `fact ${event.fact?.predicate ?? 'gone'}`
  if (event.type === 'forgotten') return 'forgotten'
  return event.type === 'job' ? 'job' : `${event.type} ${event.session}`
}

/** Whether it is of a session whose id begins like this. */
function isOf(event: ScopeEvent, session: string): boolean {
  return 'session' in event && event.session.startsWith(session)
}

async function take(messages: AsyncIterable<Message>, count: number): Promise<readonly Message[]> {
  const taken: Message[] = []
  for await (const message of messages) {
    taken.push(message)
    if (taken.length === count) break
  }
  return taken
}

/** Appends until the watch has what it waits for: nobody knows how long a watch takes to begin. */
async function sayUntil<Item>(chat: Session, watched: Promise<readonly Item[]>): Promise<readonly Item[]> {
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

  describe('watch of a scope', () => {
    it('[inspector-19] yields sessions, messages, changes, compactions and facts of its scope', async () => {
      await using memory = await open()
      const scope = memory.scope('a/b')
      const seen: ScopeEvent[] = []
      const wanted = new Set([
        'session talk',
        ...Array.from({ length: 40 }, (_, index) => `message talk ${index + 1}`),
        'revise talk',
        'compaction talk',
        'undo talk',
        'session copy',
        'message copy 41',
        'fact likes',
        'fact gone',
      ])
      const kinds = ['session', 'message', 'change', 'compaction', 'fact'] as const
      const all = (found: readonly ScopeEvent[]): boolean => {
        const places = new Set(found.map(placeOf))
        return [...wanted].every((place) => places.has(place))
      }
      const watched = readUntil(scope.watch({ kinds }), all, seen)
      // Nobody knows how long a watch takes to begin.
      while (seen.length === 0) {
        await scope.session('opening').append({ role: 'user', content: 'Hello' })
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await memory.scope('a').session('talk').append({ role: 'user', content: 'elsewhere' })
      await memory.scope('a/b/c').session('talk').append({ role: 'user', content: 'elsewhere' })
      const talk = scope.session('talk')
      const [first] = await talk.append(
        Array.from({ length: 40 }, (_, index) => ({
          role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
          content: `Parcel ${index} went to Lyon and nobody was there to take it. `.repeat(10),
        })),
      )
      await talk.revise(first?.id ?? '', { content: 'It is late.' })
      await talk.compact({ policy: 'rolling', force: true })
      await talk.undo()
      await (await talk.fork('copy')).append({ role: 'user', content: 'mine' })
      const [{ id }] = await scope.remember({ subject: 'Ada', predicate: 'likes', object: 'tea' })
      await memory.scope('a').remember({ subject: 'Ada', predicate: 'likes', object: 'milk' })
      while (!seen.some(({ type }) => type === 'fact')) await new Promise((resolve) => setTimeout(resolve, 20))
      await scope.forget({ fact: id })
      const places = (await watched).map(placeOf).filter((place) => !place.includes('opening'))
      expect(new Set(places)).toEqual(wanted)
      expect(places.length).toBe(wanted.size)
    })

    it('[inspector-19] continues after any event: nothing is left out, and of few sessions nothing comes twice', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      const kinds = ['session', 'message'] as const
      const first = readUntil(scope.watch({ kinds }), (some) => some.length === 1)
      await sayUntil(scope.session('opening'), first)
      let { cursor = '' } = (await first)[0] ?? {}
      const writing = Promise.all(
        Array.from({ length: 4 }, async (_, writer) => {
          for (let number = 0; number < 10; number++)
            await scope.session(`s${writer}`).append({ role: 'user', content: String(number) })
        }),
      )
      const wanted = [0, 1, 2, 3].flatMap((session) => [
        `session s${session}`,
        ...Array.from({ length: 10 }, (_, index) => `message s${session} ${index + 1}`),
      ])
      const seen: string[] = []
      while (seen.length < wanted.length) {
        const missing = wanted.length - seen.length
        const isAll = (some: readonly ScopeEvent[]): boolean =>
          some.length === 7 || some.filter((event) => isOf(event, 's')).length === missing
        const some = await readUntil(scope.watch({ kinds, after: cursor }), isAll)
        cursor = some.at(-1)?.cursor ?? cursor
        seen.push(...some.filter((event) => isOf(event, 's')).map(placeOf))
      }
      await writing
      expect(seen.toSorted()).toEqual(wanted.toSorted())
    })

    it('[inspector-19] reports that a conversation was forgotten as a whole, without its name', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      await scope.session('secret').append({ role: 'user', content: 'Burn this' })
      const first = readUntil(scope.watch(), (some) => some.length === 1)
      await sayUntil(scope.session('opening'), first)
      const { cursor = '' } = (await first)[0] ?? {}
      const kinds = ['forgotten'] as const
      const following = readUntil(scope.watch({ kinds, after: cursor }), (some) => some.length === 1)
      await scope.forget({ session: 'secret' })
      const later = readUntil(scope.watch({ kinds, after: cursor }), (some) => some.length === 1)
      for (const [event] of [await following, await later]) {
        expect(event).toEqual({ type: 'forgotten', sessions: 1, cursor: expect.any(String) as string })
        expect(Buffer.from(event?.cursor ?? '', 'base64url').toString()).not.toContain('secret')
      }
    })

    it('[inspector-19] refuses a cursor of another scope, and ends when the memory closes', async () => {
      const memory = await open()
      const events = memory.scope('a').watch()
      const reading = readUntil(events, (seen) => seen.length === 1)
      await sayUntil(memory.scope('a').session('s'), reading)
      const { cursor = '' } = (await reading)[0] ?? {}
      for (const [scope, after] of [
        ['b', cursor],
        ['a', 'nonsense'],
      ] as const)
        await expect((async () => memory.scope(scope).watch({ after }).next())()).rejects.toMatchObject({
          code: 'input/invalid',
        })
      const closed = readUntil(memory.scope('a').watch({ kinds: ['fact'] }), () => true)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await memory.close()
      expect(await closed).toEqual([])
    })
  })
}
