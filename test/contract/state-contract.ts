import { describe, expect, it } from 'vitest'
import type { Component } from '../../src/api/state.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** State: values with versions, tasks, notes, and what components put away. */
export function testState(open: OpenSubject): void {
  describe('state', () => {
    testValues(open)
    testTasks(open)
    testNotes(open)
    testComponents(open)
    testStateAlone(open)
  })
}

function testValues(open: OpenSubject): void {
  it('[state-1] keeps values by key, each with its version, and gives back what was set', async () => {
    await using memory = await open({ clock: new ManualClock() })
    const { state } = memory.scope('a').session('s')
    expect(await state.get()).toEqual({})
    expect(await state.get('theme')).toBeUndefined()
    const value = { dark: true, list: [1, null, 'NUL \u0000 and half \ud800'], ['__proto__']: { x: 1 } }
    expect(await state.set('theme', value)).toEqual({ key: 'theme', value, version: 1, at: '2026-01-01T00:00:00.000Z' })
    expect(await state.set('a/b: ☃', null)).toMatchObject({ version: 2 })
    expect(await state.get('theme')).toEqual(value)
    expect(await state.get()).toEqual({ 'a/b: ☃': null, theme: value })
    expect(await state.snapshot()).toMatchObject({ version: 2, entries: [{ key: 'a/b: ☃' }, { key: 'theme' }] })
  })

  it('[state-1] compares and sets: a stale version writes nothing', async () => {
    await using memory = await open()
    const { state } = memory.scope('a').session('s')
    await state.set('k', 1, { expected: 0 })
    await expect(state.set('k', 2, { expected: 0 })).rejects.toMatchObject({
      code: 'state/conflict',
      details: { key: 'k', expected: 0, found: 1 },
    })
    await state.set('other', 'x')
    await state.set('k', 2, { expected: 1 })
    await expect(state.delete('k', { expected: 1 })).rejects.toMatchObject({ code: 'state/conflict' })
    expect(await state.get('k')).toBe(2)
    expect(await state.delete('k', { expected: 3 })).toBe(true)
    expect(await state.delete('k')).toBe(false)
    expect(await state.set('k', 3, { expected: 0 })).toMatchObject({ version: 5 })
  })

  it('[state-1] of many who set the same version one wins, and updates lose nothing', async () => {
    await using memory = await open()
    const { state } = memory.scope('a').session('s')
    const race = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => state.set('k', n, { expected: 0 })))
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await state.set('count', 0)
    await Promise.all(Array.from({ length: 12 }, () => state.update('count', (count) => Number(count) + 1)))
    expect(await state.get('count')).toBe(12)
    await expect(
      state.update('count', () => {
        throw new Error('mine')
      }),
    ).rejects.toThrow('mine')
    expect(await state.get('count')).toBe(12)
  })

  it('[state-1] has a history, and reads as of a version or a time', async () => {
    const clock = new ManualClock()
    await using memory = await open({ clock })
    const { state } = memory.scope('a').session('s')
    await state.set('k', 'first')
    clock.time += 1000
    await state.set('other', 1)
    clock.time += 1000
    await state.delete('k')
    clock.time -= 10_000 // a clock that goes back does not mix up the order
    await state.set('k', 'second')
    expect(await state.history('k')).toEqual([
      { key: 'k', version: 4, at: '2026-01-01T00:00:02.000Z', value: 'second' },
      { key: 'k', version: 3, at: '2026-01-01T00:00:02.000Z' },
      { key: 'k', version: 1, at: '2026-01-01T00:00:00.000Z', value: 'first' },
    ])
    expect(await state.history('k', { limit: 1, before: 4 })).toMatchObject([{ version: 3 }])
    expect(await state.history('none')).toEqual([])
    expect(await state.get('k', { asOf: { version: 2 } })).toBe('first')
    expect(await state.get('k', { asOf: { version: 3 } })).toBeUndefined()
    expect(await state.get('k', { asOf: { version: 99 } })).toBe('second')
    expect(await state.get('k', { asOf: '2026-01-01T00:00:01Z' })).toBe('first')
    expect(await state.snapshot({ asOf: new Date(Date.UTC(2026, 0, 1, 0, 0, 1)) })).toMatchObject({
      version: 2,
      entries: [{ key: 'k', value: 'first' }, { key: 'other' }],
    })
    expect(await state.snapshot({ asOf: new Date(0) })).toEqual({ version: 0, entries: [] })
  })

  it('[state-1] belongs to one session of one scope', async () => {
    await using memory = await open()
    await memory.scope('a').session('s').state.set('k', 1)
    await memory.scope('a').session('s').append({ role: 'user', content: 'hello' })
    for (const other of [
      memory.scope('a').session('t'),
      memory.scope('b').session('s'),
      memory.scope('a/b').session('s'),
    ])
      expect(await other.state.get()).toEqual({})
    expect(await memory.scope('a').session('s').state.get('k')).toBe(1)
  })

  it('[state-2] refuses what would break the document, and whatever JSON would change', async () => {
    await using memory = await open()
    const { state } = memory.scope('a').session('s')
    const wrong: readonly (readonly [string, unknown])[] = [
      ['k', undefined],
      ['k', Number.NaN],
      ['k', new Date()],
      ['k', 'x'.repeat(1024 * 1024)],
      ['tool_stats', {}],
      ['facts', 'one'],
      ['system_state', { preferences: [] }],
      ['active_tasks', [{ id: 't' }]],
      ['plan', { goal: 'g', steps: [{ title: 't', state: 'begun' }] }],
      ['token_usage', { total_input: -1 }],
      ['', 1],
    ]
    for (const [key, value] of wrong)
      await expect(state.set(key, value as JSONValue), key).rejects.toMatchObject({
        code: expect.stringMatching(/^input\//) as unknown,
      })
    await expect(state.set('k', 1, { expcted: 1 } as never)).rejects.toThrow('did you mean "expected"?')
    await expect(state.set('k', 1, { expected: -1 })).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(state.history('k', { limit: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(await state.snapshot()).toEqual({ version: 0, entries: [] })
  })
}

function testTasks(open: OpenSubject): void {
  it('[state-2] tasks are added, progress, and end in one of three ways', async () => {
    const clock = new ManualClock()
    await using memory = await open({ clock })
    const { tasks } = memory.scope('a').session('s').state
    await tasks.add({ id: 'a', description: 'Watch the build' })
    await tasks.add({ id: 'b', description: 'Write', status: 'Running' })
    const { id } = await tasks.add({ description: 'Third' })
    await expect(tasks.add({ id: 'a', description: 'again' })).rejects.toMatchObject({ code: 'state/conflict' })
    clock.time += 5_000
    const created = Date.UTC(2026, 0, 1) / 1000
    expect(await tasks.progress('a', 0.5)).toEqual({
      id: 'a',
      description: 'Watch the build',
      status: 'Running',
      progress: 0.5,
      created_at: created,
      updated_at: created + 5,
    })
    expect(await tasks.finish('a')).toMatchObject({ status: 'Completed', progress: 1 })
    expect(await tasks.fail('b', 'no disk')).toMatchObject({ status: 'Failed', reason: 'no disk' })
    const again = await tasks.progress('b', 0.1)
    expect(again).toMatchObject({ status: 'Running' })
    expect(again).not.toHaveProperty('reason')
    expect(await tasks.cancel(id)).toMatchObject({ status: 'Cancelled' })
    await expect(tasks.finish('none')).rejects.toMatchObject({ code: 'state/not-found' })
    await expect(tasks.progress('a', 1.5)).rejects.toMatchObject({ code: 'input/invalid' })
    expect(await tasks.list()).toHaveLength(3)
  })

  it('[state-2] ended tasks leave 24 hours after their last change, open ones and the history stay', async () => {
    const clock = new ManualClock()
    await using memory = await open({ clock })
    const session = memory.scope('a').session('s')
    const { tasks } = session.state
    for (const id of ['open', 'done', 'failed', 'cancelled']) await tasks.add({ id, description: id })
    await tasks.finish('done')
    await tasks.fail('failed')
    await tasks.cancel('cancelled')
    clock.time += DAY_MS - 1000
    expect((await tasks.list()).map(({ id }) => id)).toEqual(['open', 'done', 'failed', 'cancelled'])
    clock.time += 1000
    expect((await tasks.list()).map(({ id }) => id)).toEqual(['open'])
    expect((await session.document()).active_tasks.map(({ id }) => id)).toEqual(['open'])
    await tasks.progress('open', 0.1)
    const history = await session.state.history('active_tasks')
    expect(history).toHaveLength(8)
    expect(JSON.stringify(history[1])).toContain('cancelled')
    expect(JSON.stringify(history[0])).not.toContain('cancelled')
  })

  it('[state-2] tasks that are changed at the same time are all changed', async () => {
    await using memory = await open()
    const { tasks } = memory.scope('a').session('s').state
    await Promise.all(Array.from({ length: 20 }, (_, n) => tasks.add({ id: `t${n}`, description: 'x' })))
    await Promise.all(Array.from({ length: 20 }, (_, n) => tasks.finish(`t${n}`)))
    expect((await tasks.list()).filter(({ status }) => status === 'Completed')).toHaveLength(20)
  })
}

function testNotes(open: OpenSubject): void {
  it('[state-4] [inspector-27] a note is changed only if nobody changed it since it was read, if that is asked for', async () => {
    await using memory = await open()
    const { notes } = memory.scope('a').session('s').state
    const read = await notes.add({ id: 'n', text: 'Left drawer' })
    const other = await notes.update('n', { text: 'Right drawer', expected: read.updatedAt })
    await expect(notes.update('n', { text: 'No drawer', expected: read.updatedAt })).rejects.toMatchObject({
      code: 'state/conflict',
      details: { note: 'n', expected: read.updatedAt, found: other.updatedAt },
    })
    await expect(notes.update('n', { expected: other.updatedAt })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(await notes.update('n', { done: true, expected: other.updatedAt })).toMatchObject({ text: 'Right drawer' })
  })

  it('[state-4] notes are added, found by tag and text, changed, done and deleted', async () => {
    const clock = new ManualClock()
    await using memory = await open({ clock })
    const { notes } = memory.scope('a').session('s').state
    const first = await notes.add({ text: 'The KEY is in the drawer', tags: ['home'] })
    clock.time += 1
    await notes.add({ id: 'n2', text: 'Straße', tags: ['home', 'road'] })
    clock.time += 1
    await notes.add('plain')
    expect(first).toMatchObject({ done: false, tags: ['home'] })
    expect((await notes.list()).map(({ text }) => text)).toEqual(['The KEY is in the drawer', 'Straße', 'plain'])
    expect(await notes.list({ tag: 'road' })).toMatchObject([{ id: 'n2' }])
    expect(await notes.search('key')).toMatchObject([{ id: first.id }])
    expect(await notes.search('STRASSE')).toMatchObject([{ id: 'n2' }])
    expect(await notes.done('n2')).toMatchObject({ done: true, text: 'Straße', updatedAt: '2026-01-01T00:00:00.002Z' })
    expect((await notes.list({ done: false })).map(({ id }) => id)).not.toContain('n2')
    expect(await notes.update('n2', { text: 'Weg', tags: [] })).toMatchObject({ text: 'Weg', tags: [], done: true })
    expect(await notes.delete('n2')).toBe(true)
    expect(await notes.delete('n2')).toBe(false)
    await expect(notes.update('n2', { done: true })).rejects.toMatchObject({ code: 'state/not-found' })
    await expect(notes.add({ id: first.id, text: 'twice' })).rejects.toMatchObject({ code: 'state/conflict' })
    await expect(notes.add(' ')).rejects.toMatchObject({ code: 'input/invalid' })
    expect(await memory.scope('a').session('t').state.notes.list()).toEqual([])
  })
}

/** A component that holds a number and takes no other. */
function counter(): Component & { value: number } {
  const self = {
    value: 0,
    save: () => self.value,
    prepare: (value: JSONValue) => {
      if (typeof value !== 'number') throw new TypeError('not a number')
      return () => {
        self.value = value
      }
    },
  }
  return self
}

function testComponents(open: OpenSubject): void {
  it('[state-5] components are put away and taken out by key', async () => {
    await using memory = await open()
    const { state } = memory.scope('a').session('s')
    const [a, b] = [counter(), counter()]
    const kept = state.components({ a, b })
    expect(await kept.loadIfExists('agent')).toBe(false)
    expect(await kept.saveIfExists('agent')).toBe(false)
    await expect(kept.loadOrThrow('agent')).rejects.toMatchObject({
      code: 'state/not-found',
      details: { key: 'agent' },
    })
    ;[a.value, b.value] = [1, 2]
    await kept.saveTo('agent')
    ;[a.value, b.value] = [8, 9]
    expect(await kept.loadIfExists('agent')).toBe(true)
    expect([a.value, b.value]).toEqual([1, 2])
    a.value = 5
    expect(await kept.saveIfExists('agent')).toBe(true)
    expect(await state.get('agent')).toEqual({ a: 5, b: 2 })
    expect(await kept.delete('agent')).toBe(true)
    expect(await kept.delete('agent')).toBe(false)
    await expect(kept.saveTo('plan')).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('[state-5] all are checked before one is changed, and one that fails leaves all as they were', async () => {
    await using memory = await open()
    const { state } = memory.scope('a').session('s')
    const [a, b] = [counter(), counter()]
    await state.set('torn', { a: 1, b: 'no number' })
    await expect(state.components({ a, b }).loadOrThrow('torn')).rejects.toThrow('not a number')
    expect([a.value, b.value]).toEqual([0, 0])
    await state.set('short', { a: 1 })
    await expect(state.components({ a, b }).loadOrThrow('short')).rejects.toMatchObject({ code: 'state/not-found' })
    expect([a.value, b.value]).toEqual([0, 0])
    expect(await state.components({ a, b }).loadIfExists('short')).toBe(true)
    expect([a.value, b.value]).toEqual([1, 0])
    const bad: Component = {
      save: () => 0,
      prepare: (value) => () => {
        if (value === 2) throw new Error('failed late')
      },
    }
    await state.set('late', { a: 7, bad: 2 })
    await expect(state.components({ a, bad }).loadOrThrow('late')).rejects.toThrow('failed late')
    expect(a.value).toBe(1)
  })
}

/** A session with state, notes or tasks and no message. */
function testStateAlone(open: OpenSubject): void {
  it('[walls-206] a session with only state is listed after those with messages, and found by its name', async () => {
    await using memory = await open({ clock: new ManualClock() })
    const scope = memory.scope('a')
    for (const id of ['plan-2', 'plan-1', 'other']) await scope.session(id).state.set('theme', id)
    await scope.session('talk').append({ role: 'user', content: 'Hello.' })
    await scope.session('talk').state.set('theme', 'dark')
    await memory.scope('b').session('plan-3').state.set('theme', 'not of this scope')
    const all = await scope.sessions()
    expect(all.sessions.map(({ id, messages }) => [id, messages])).toEqual([
      ['talk', 1],
      ['other', 0],
      ['plan-1', 0],
      ['plan-2', 0],
    ])
    expect(all.next).toBeNull()
    const found = await scope.sessions({ text: 'PLAN' })
    expect(found.sessions.map(({ id }) => id)).toEqual(['plan-1', 'plan-2'])
    const paged: string[] = []
    for (let after: string | undefined; ;) {
      const page = await scope.sessions({ limit: 1, ...(after === undefined ? {} : { after }) })
      paged.push(...page.sessions.map(({ id }) => id))
      if (page.next === null) break
      after = page.next
    }
    expect(paged).toEqual(['talk', 'other', 'plan-1', 'plan-2'])
  })

  it('[walls-206] a session with only state can be forgotten, and its text is gone', async () => {
    await using memory = await open()
    const scope = memory.scope('a')
    const session = scope.session('plan')
    await session.state.set('theme', 'Xylophonequarz')
    await session.state.set('theme', 'dark')
    await session.state.tasks.add({ description: 'tune the Xylophonequarz' })
    await scope.session('kept').state.set('theme', 'light')
    const preview = await scope.forget({ session: 'plan' }, { dryRun: true })
    expect(preview).toMatchObject({ dryRun: true, sessions: ['plan'], messages: 0 })
    const receipt = await scope.forget({ session: 'plan' })
    expect(receipt).toMatchObject({ sessions: ['plan'], state: preview.state })
    expect(receipt.state).toBeGreaterThan(2)
    expect(await session.state.get()).toEqual({})
    expect((await scope.sessions()).sessions.map(({ id }) => id)).toEqual(['kept'])
    expect(await memory.verifyForgotten(receipt, ['Xylophonequarz'])).toMatchObject({ found: [] })
    await expect(scope.forget({ session: 'plan' })).rejects.toMatchObject({ code: 'log/not-found' })
    expect(await memory.verify()).toMatchObject({ ok: true })
  })
}
