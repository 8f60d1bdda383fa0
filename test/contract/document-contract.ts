import { describe, expect, it } from 'vitest'
import { ManualClock, type OpenSubject } from './subject.ts'

/** A session as one document, what is counted by itself, and the plan in its contexts. */
export function testDocuments(open: OpenSubject): void {
  describe('documents', () => {
    it('[docs-1] a session that has nothing has an empty document', async () => {
      await using memory = await open()
      expect(await memory.scope('a').session('s').document()).toEqual({
        schema: 1,
        session_id: 's',
        system_state: { last_workspace: null, preferences: {} },
        facts: [],
        recent_history: [],
        long_term_summary: '',
        active_tasks: [],
        tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
        last_known_environment: { workspace: null, last_update: 0, system_snapshot: {} },
        token_usage: { total_input: 0, total_output: 0, by_session: 0 },
      })
    })

    it('[docs-1] [state-2] the document has every section', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock, learn: false })
      const chat = memory.scope('a').session('user:agent:1')
      await chat.append([
        { role: 'user', content: 'Create a file', id: 'm1' },
        { role: 'assistant', id: 'm2', toolCalls: [{ id: 'c1', name: 'file_write', arguments: { path: 'x' } }] },
        { role: 'tool', id: 'm3', toolCallId: 'c1', content: 'made' },
      ])
      await chat.state.set('system_state', { last_workspace: '/home/user', preferences: { verbose: true } })
      await chat.state.set('facts', ['User prefers verbose output'])
      await chat.state.set('last_known_environment', { workspace: '/home/user', last_update: 5 })
      await chat.state.tasks.add({ id: 't', description: 'Watch' })
      await chat.state.notes.add({ id: 'n', text: 'note' })
      await chat.usage({ model: 'm', inputTokens: 100, outputTokens: 20, estimatedTokens: 90 })
      await chat.usage({ model: 'm', inputTokens: 50, estimatedTokens: 50 })
      const at = Date.UTC(2026, 0, 1) / 1000
      const document = await chat.document()
      expect(document).toMatchObject({
        session_id: 'user:agent:1',
        system_state: { last_workspace: '/home/user', preferences: { verbose: true } },
        facts: ['User prefers verbose output'],
        recent_history: [
          { timestamp: at, role: 'user', content: 'Create a file', id: 'm1' },
          {
            role: 'assistant',
            content: 'file_write({"path":"x"})',
            id: 'm2',
            parts: [{ type: 'tool-call', id: 'c1' }],
          },
          { role: 'tool', content: 'made', parts: [{ type: 'tool-result', callId: 'c1' }] },
        ],
        active_tasks: [{ id: 't', status: 'Pending' }],
        tool_stats: { total_calls: 1, by_tool: { file_write: 1 }, failures: 0 },
        last_known_environment: { workspace: '/home/user', last_update: 5, system_snapshot: {} },
        token_usage: { total_input: 150, total_output: 20, by_session: 170 },
        notes: [{ id: 'n', text: 'note' }],
      })
      expect(document.recent_history[0]).not.toHaveProperty('parts')
      expect((await chat.document({ recent: 1 })).recent_history).toMatchObject([{ id: 'm3' }])
    })

    it('[docs-1] a document of an earlier time has what was there then', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock, learn: false })
      const chat = memory.scope('a').session('s')
      await chat.append({ role: 'user', content: 'one' })
      await chat.state.set('facts', ['then'])
      clock.time += 60_000
      await chat.append({ role: 'assistant', toolCalls: [{ id: 'c', name: 't', arguments: {} }] })
      await chat.state.set('facts', ['now'])
      expect((await chat.document()).tool_stats.total_calls).toBe(1)
      const then = await chat.document({ asOf: '2026-01-01T00:00:30Z' })
      expect(then).toMatchObject({ facts: ['then'], tool_stats: { total_calls: 0 } })
      expect(then.recent_history).toHaveLength(1)
    })

    it('[docs-1] what was folded stands in the summary', async () => {
      await using memory = await open({ learn: false })
      const chat = memory.scope('a').session('s')
      for (let n = 0; n < 60; n++)
        await chat.append({
          role: n % 2 === 0 ? 'user' : 'assistant',
          content: `The order ${n} is at /srv/orders/${n}.txt`,
        })
      await chat.compact({ policy: 'rolling', force: true })
      const document = await chat.document()
      expect(document.recent_history.length).toBeLessThan(60)
      expect(document.long_term_summary).toContain('order')
    })

    it('[state-2] tools are counted as they were called: once, across reads, forks and revisions', async () => {
      await using memory = await open({ learn: false })
      const chat = memory.scope('a').session('s')
      const call = (id: string, name: string): Promise<unknown> =>
        chat.append({ role: 'assistant', id, toolCalls: [{ id, name, arguments: {} }] })
      await call('1', 'read')
      expect(await chat.state.get('tool_stats')).toEqual({ total_calls: 1, by_tool: { read: 1 }, failures: 0 })
      await call('2', '__proto__')
      await chat.append({
        role: 'tool',
        parts: [{ type: 'tool-result', callId: '2', output: 'no', outcome: 'error' }],
      })
      await chat.revise('1', { content: 'nothing was called' })
      const fork = await chat.fork('t')
      await call('3', 'read')
      const stats = { total_calls: 3, by_tool: { ['__proto__']: 1, read: 2 }, failures: 1 }
      expect(await chat.state.get('tool_stats')).toEqual(stats)
      await chat.remove('3')
      expect(await chat.state.get('tool_stats')).toEqual(stats)
      expect(await fork.state.get('tool_stats')).toMatchObject({ total_calls: 2, failures: 1 })
      await memory.rebuild()
      expect(await chat.state.get('tool_stats')).toEqual(stats)
    })

    testPlans(open)
  })
}

function testPlans(open: OpenSubject): void {
  it('[state-3] the plan of the state stands last in every context: its goal and its open steps', async () => {
    await using memory = await open({ learn: false })
    const chat = memory.scope('a').session('s')
    await chat.append({ role: 'user', content: 'Go on.' })
    await chat.state.set('plan', {
      goal: 'Ship it',
      steps: [
        { title: 'Test', state: 'done' },
        { title: 'Build', state: 'in-progress' },
        { title: 'Publish', state: 'todo' },
      ],
    })
    const last = async (options = {}): Promise<string> =>
      JSON.stringify((await chat.context({ budget: 1_000, ...options })).messages.at(-1)?.parts)
    expect(await last()).toContain('Ship it\\nDone: 1 of 3\\nIn progress: Build\\nTo do: Publish')
    expect(await last({ plan: { goal: 'Other', steps: [] } })).toContain('Other')
    expect(await last({ plan: false })).toContain('Go on.')
    await chat.state.delete('plan')
    expect(await last()).toContain('Go on.')
  })

  it('[state-3] compaction leaves what open steps need, and folds what belongs to those that are done', async () => {
    await using memory = await open({ learn: false })
    const isLiveAfter = async (state: 'todo' | 'in-progress' | 'done' | 'abandoned'): Promise<boolean> => {
      const chat = memory.scope('a').session(state)
      await chat.state.set('plan', { goal: 'Move', steps: [{ title: 'Copy the rows', state, tag: 'copy' }] })
      await chat.append({ role: 'user', content: 'The rows are in table seventeen.', tags: ['copy'], id: 'needed' })
      for (let n = 0; n < 60; n++)
        await chat.append({ role: n % 2 === 0 ? 'assistant' : 'user', content: `Something else, number ${n}.` })
      await chat.compact({ policy: 'rolling', force: true })
      return (await chat.window()).some((entry) => 'role' in entry && entry.id === 'needed')
    }
    expect(await isLiveAfter('todo')).toBe(true)
    expect(await isLiveAfter('in-progress')).toBe(true)
    expect(await isLiveAfter('done')).toBe(false)
    expect(await isLiveAfter('abandoned')).toBe(false)
  })
}
