import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { policyNames } from '../../src/cli/commands/cache.ts'
import { exitStatuses } from '../../src/cli/exit-status.ts'
import { program } from '../../src/cli/program.ts'
import { presets } from '../../src/context/compaction/presets.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type Ended, daybook, folder } from './harness.ts'

const place = folder()
let files = 0

/** The words that say where, for a new memory. */
function fresh(): { readonly file: string; readonly at: readonly string[]; readonly in: readonly string[] } {
  files += 1
  const file = join(place, `${files}.db`)
  return {
    file,
    at: ['--memory', file, '--scope', 'acme/ada'],
    in: ['--memory', file, '--scope', 'acme/ada', '--session', 's1'],
  }
}

/** The answer of a command that must succeed, read as JSON. */
async function json<Value = Record<string, unknown>>(words: readonly string[], input?: string): Promise<Value> {
  const { status, stdout, stderr } = await daybook([...words, '--json'], input)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as Value
}

const shell = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: {},
  argv: [],
  end: () => undefined,
}
const commands = program(shell, '0').commands

describe('[cli-1] the command line', () => {
  it('explains itself when called alone', async () => {
    const { status, stdout, stderr } = await daybook([], '', { DAYBOOK_MEMORY: join(place, 'none.db') })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('Memory for LLM agents in one file')
    for (const command of commands) expect(stdout).toContain(`\n  ${command.name()}`)
  })

  it('has these commands', () => {
    expect(commands.map((command) => command.name())).toEqual([
      'status',
      'init',
      'sessions',
      'show',
      'append',
      'context',
      'recall',
      'facts',
      'import',
      'open',
      'mcp',
      'tail',
      'search',
      'compact',
      'undo',
      'reopen',
      'fork',
      'cache',
      'blocks',
      'remember',
      'retract',
      'endorse',
      'graph',
      'forget',
      'retention',
      'scopes',
      'stats',
      'export',
      'backup',
      'restore',
      'verify',
      'head',
      'rebuild',
      'migrate',
      'doctor',
      'jobs',
      'key',
      'bench',
      'serve',
      'proxy',
      'chat',
      'completion',
    ])
  })

  it.each(commands.map((command) => [command.name(), command] as const))(
    '%s has help with examples that it understands, and --json',
    async (name, command) => {
      const { status, stdout } = await daybook([name, '--help'])
      expect(status).toBe(0)
      const [, listed = ''] = stdout.split('\nExamples:\n')
      const examples = [...listed.matchAll(/ {2}\$ .*?\bdaybook (.*)/g)].map(([, words = '']) => words)
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) {
        expect(example.startsWith(name), example).toBe(true)
        const flags = [...example.matchAll(/(?:^|\s)(--[a-z-]+)/g)].map(([, flag = '']) => flag)
        for (const flag of flags)
          expect(
            command.options.map(({ long }) => long),
            example,
          ).toContain(flag)
      }
      expect(command.options.map(({ long }) => long)).toContain('--json')
    },
  )

  it('is described by docs/cli.md: every command, every exit status', () => {
    const manual = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8')
    const rows = [...manual.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, name, text]) => [name, text])
    for (const command of commands) expect(rows).toContainEqual([command.name(), command.description()])
    for (const { status, when } of Object.values(exitStatuses)) expect(rows).toContainEqual([`${status}`, when])
    const known = [
      ...commands.map((command) => command.name()),
      ...Object.values(exitStatuses).map(({ status }) => `${status}`),
    ]
    const told = rows.map(([name = '']) => name).filter((name) => !/^[A-Z_]+$/.test(name))
    expect(told.filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('[cli-1] a conversation on the command line', () => {
  it('is appended, shown, searched, counted, forked and listed', async () => {
    const memory = fresh()
    await daybook(['append', '--create', ...memory.in, 'My order 7731 is late.'])
    await daybook(['append', ...memory.in, '--role', 'assistant', '-'], 'I am sorry.\nI look it up.\n')
    const shown = await json<{ entries: { role: string; parts: unknown[] }[] }>(['show', ...memory.at, 's1'])
    expect(shown.entries.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [{ type: 'text', text: 'My order 7731 is late.' }]],
      ['assistant', [{ type: 'text', text: 'I am sorry.\nI look it up.' }]],
    ])
    const found = await json<{ messages: { seq: number }[] }>(['search', ...memory.in, 'ORDER 7731'])
    expect(found.messages.map(({ seq }) => seq)).toEqual([1])
    expect(await json(['fork', ...memory.in, 's2', '--at', '1'])).toMatchObject({ session: 's2', messages: 1 })
    const { sessions } = await json<{ sessions: { id: string }[] }>(['sessions', ...memory.at])
    expect(sessions.map(({ id }) => id)).toEqual(['s2', 's1'])
    expect(await json(['stats', ...memory.at, 's1'])).toMatchObject({ messages: 2, live: 2, version: 2 })
    expect(await json(['stats', ...memory.at])).toMatchObject({ sessions: 2, messages: 3 })
    expect(await json(['stats', '--memory', memory.file])).toMatchObject({ messages: 2, vectorSearch: 'process' })
  })

  it('takes messages as JSON, one document or one a line, through the pipe', async () => {
    const memory = fresh()
    const lines = '{"role":"user","content":"one"}\n\n{"role":"assistant","content":"two"}\n'
    const stored = await json<{ messages: { seq: number }[] }>(
      ['append', '--create', ...memory.in, '--input', '-'],
      lines,
    )
    expect(stored.messages.map(({ seq }) => seq)).toEqual([1, 2])
    await json(['append', ...memory.in, '--input', '-'], '[{"role":"user","content":"three"}]')
    const rows = (await daybook(['show', ...memory.in, '--jsonl'])).stdout.trimEnd().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { seq: number }).seq)).toEqual([1, 2, 3])
    const { status, stderr } = await daybook(['append', ...memory.in, '--input', '-'], '{"role":"user"}\n{oops')
    expect(status).toBe(2)
    expect(stderr).toContain('line 2')
  })

  it('[cli-2] shows the newest of the history, and says of how many', async () => {
    const memory = fresh()
    const lines = ['one', 'two', 'three'].map((content) => JSON.stringify({ role: 'user', content })).join('\n')
    await json(['append', '--create', '--no-learn', ...memory.in, '--input', '-'], lines)
    const { stdout } = await daybook(['show', ...memory.in, '--history', '--last', '2'])
    expect(stdout).toMatch(
      /^s1 in acme\/ada · 3 messages · .* · the last 2 of 3\n\n\[2\] user .*\n {2}two\n\n\[3\] user .*\n {2}three\n$/,
    )
    const then = await daybook(['show', ...memory.in, '--as-of', 'v1'])
    expect(then.stdout).toMatch(/ 1 message · [^]*\n {2}one\n$/)
  })

  it('[docs-1] shows a session as one document', async () => {
    const memory = fresh()
    await json(['append', '--create', '--no-learn', ...memory.in, '--input', '-'], '{"role":"user","content":"one"}')
    const { stdout } = await daybook(['show', ...memory.in, '--document'])
    expect(JSON.parse(stdout)).toMatchObject({ session_id: 's1', recent_history: [{ role: 'user', content: 'one' }] })
  })

  it('[cli-2] shows what changed between two moments, and compacts, reopens and undoes', async () => {
    const memory = fresh()
    const turns = Array.from({ length: 30 }, (_, index) => [
      {
        role: 'user',
        content: `Question ${index}: where is parcel ${7000 + index}, and why is it late again? ${'It matters. '.repeat(20)}`,
      },
      { role: 'assistant', content: `Parcel ${7000 + index} is in Lisbon. ${'It will move soon. '.repeat(20)}` },
    ]).flat()
    await json(['append', '--create', '--no-learn', ...memory.in, '--input', '-'], JSON.stringify(turns))
    const dry = await json(['compact', ...memory.in, '--force', '--dry-run', '--budget', '4000'])
    expect(dry['type']).toBe('dry-run')
    expect(await json(['stats', ...memory.in])).toMatchObject({ version: 60 })
    const done = await json<{
      type: string
      receipt: { folds: { id: string; messages: number }[]; compaction: number }
    }>(['compact', ...memory.in, '--force', '--budget', '4000'])
    expect(done.type).toBe('compacted')
    const [fold] = done.receipt.folds
    await json(['append', '--no-learn', ...memory.in, 'One more thing.'])

    const diff = await json<{ changes: { change: string; foldedInto?: string; entry: { id: string } }[] }>([
      'context',
      ...memory.in,
      '--diff',
      'v60',
    ])
    const of = (change: string): number => diff.changes.filter((one) => one.change === change).length
    const folded = done.receipt.folds.reduce((sum, { messages }) => sum + messages, 0)
    expect(of('gone')).toBe(folded)
    expect(of('added')).toBe(done.receipt.folds.length + 1)
    expect(of('kept')).toBe(60 - folded)
    expect(
      diff.changes.filter(({ change }) => change === 'gone').every(({ foldedInto }) => foldedInto !== undefined),
    ).toBe(true)
    const { stdout } = await daybook(['context', ...memory.in, '--diff', '60'])
    expect(stdout).toMatch(
      /^--- 60 entries, [\d,]+ tokens\n\+\+\+ \d+ entries, [\d,]+ tokens, \d+ of them as before\n- \[1\] user/,
    )
    expect(stdout).toMatch(/\n\+ \[61\] user .*\n\+ {3}One more thing\.\n$/)
    expect((await daybook(['context', ...memory.in, '--diff', 'v60', '--to', 'v60'])).stdout).toContain(
      'Nothing changed.',
    )

    expect((await daybook(['show', ...memory.in])).stdout).toContain('folded: ')
    const page = await json<{ text: string }>(['reopen', ...memory.in, fold?.id ?? ''])
    expect(page.text).toContain('parcel 70')
    expect(await json(['undo', ...memory.in])).toMatchObject({ undone: [done.receipt.compaction] })
    expect((await daybook(['show', ...memory.in])).stdout).not.toContain('folded: ')
    expect((await daybook(['undo', ...memory.in])).status).toBe(3)
  })

  it("[cli-2] prints the cache simulator's table for every policy there is", async () => {
    expect(policyNames.toSorted()).toEqual(Object.keys(presets).toSorted())
    const memory = fresh()
    const turns = Array.from({ length: 8 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Line ${index} of the talk`,
    }))
    await json(['append', '--create', '--no-learn', ...memory.in, '--input', '-'], JSON.stringify(turns))
    const { simulations } = await json<{ simulations: Record<string, number>[] }>([
      'cache',
      ...memory.in,
      '--price',
      '3',
      '--cached-price',
      '0.3',
    ])
    expect(simulations.map(({ policy }) => policy)).toEqual(policyNames)
    for (const { calls, inputTokens = 0, cachedTokens = 0, cost } of simulations) {
      expect(calls).toBe(4)
      expect(cachedTokens).toBeGreaterThan(0)
      expect(cost).toBeCloseTo(((inputTokens - cachedTokens) * 3 + cachedTokens * 0.3) / 1_000_000, 12)
    }
    const { stdout } = await daybook(['cache', ...memory.in, '--policy', 'balanced,recency'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^policy +calls +compactions +input +cached +share +cost$/)
    expect(lines.slice(1).map((line) => line.split(/\s+/)[0])).toEqual(['balanced', 'recency'])
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  })

  it('gives a context in a provider’s form, and says where its tokens go', async () => {
    const memory = fresh()
    await daybook(['append', '--create', ...memory.in, 'Hello'])
    expect(await json(['context', ...memory.in, '--as', 'openai'])).toEqual([{ role: 'user', content: 'Hello' }])
    const { stdout } = await daybook(['context', ...memory.in, '--budget', '500'])
    expect(stdout).toMatch(/^#0 user \[1\]\n {2}Hello\n\n\d+ of 500 tokens, estimated: messages \d+/)
    expect(stdout).not.toContain('No budget was given')
    expect((await daybook(['context', ...memory.in])).stdout).toContain(
      'No budget was given, so this is for 128,000 tokens',
    )
    const { status, stderr } = await daybook(['context', ...memory.in, '--budget', '1'])
    expect(status).toBe(1)
    expect(stderr).toContain('(context/over-budget)')
  })
})

describe('[cli-1] knowledge on the command line', () => {
  it('is remembered, listed, drawn, recalled, retracted and forgotten', async () => {
    const memory = fresh()
    const { facts } = await json<{ facts: { id: string; outcome: string }[] }>([
      'remember',
      '--create',
      ...memory.at,
      '--subject',
      'Ada',
      '--predicate',
      'works at',
      '--entity',
      'Acme',
    ])
    expect(facts).toMatchObject([{ outcome: 'added', subject: 'Ada' }])
    await json(['remember', ...memory.at, '-'], 'Ada prefers email')
    await json(['remember', ...memory.at, '--subject', 'Acme', '--predicate', 'sits in', '--entity', 'Lisbon'])
    const graph = await json<{ entities: { name: string }[] }>(['graph', ...memory.at, 'Ada', '--depth', '2'])
    expect(graph.entities.map(({ name }) => name).toSorted()).toEqual(['Acme', 'Ada', 'Lisbon'])
    expect((await daybook(['graph', ...memory.at, 'Ada', '--to', 'Lisbon'])).stdout).toBe(
      'Ada —works_at→ Acme\nAcme —sits_in→ Lisbon\n2 steps\n',
    )
    const recalled = await json<{ items: { kind: string; text: string }[] }>([
      'recall',
      ...memory.at,
      '--kinds',
      'fact,message',
      'where does Ada work?',
    ])
    expect(recalled.items.some(({ text }) => text.includes('Acme'))).toBe(true)
    await json(['retract', ...memory.at, facts[0]?.id ?? '', 'she left'])
    const left = await json<{ facts: { subject: string | null }[] }>(['facts', ...memory.at, '--subject', 'Ada'])
    expect(left.facts).toEqual([])
    const id = facts[0]?.id ?? ''
    expect((await daybook(['endorse', ...memory.at, id])).stderr).toContain(`daybook retract --undo ${id}`)
    expect((await daybook(['retract', ...memory.at, '--undo', id, 'she is back'])).status).toBe(2)
    expect(await json(['retract', ...memory.at, '--undo', id])).toMatchObject({ id, state: 'current' })
    expect(await json(['forget', ...memory.at, '--subject', 'Acme', '--yes'])).toMatchObject({ entities: 3 })
    expect((await daybook(['forget', ...memory.at, '--subject', 'Acme', '--yes'])).status).toBe(3)
  })

  it('is learned from what was appended before the command ends; --no-learn leaves it to others', async () => {
    const memory = fresh()
    await daybook(['append', '--create', '--no-learn', ...memory.in, 'I live in Lisbon.'])
    expect((await json<{ facts: unknown[] }>(['facts', ...memory.at])).facts).toEqual([])
    expect(await json(['jobs', 'settle', '--memory', memory.file])).toEqual({ waiting: 0, failed: 0 })
    expect((await json<{ facts: { text: string }[] }>(['facts', ...memory.at])).facts.map(({ text }) => text)).toEqual([
      'user lives in Lisbon',
    ])
    const { jobs } = await json<{ jobs: { state: string; kind: string }[] }>(['jobs', '--memory', memory.file])
    expect(jobs).toMatchObject([{ kind: 'learn', state: 'done' }])
    const other = fresh()
    await daybook(['append', '--create', ...other.in, 'I live in Oslo.'])
    expect((await json<{ facts: unknown[] }>(['facts', ...other.at])).facts).toHaveLength(1)
  })

  it('asks before it destroys, and is told beforehand where nobody can be asked', async () => {
    const memory = fresh()
    await json(['remember', '--create', ...memory.at, 'Ada prefers email'])
    const { status, stderr } = await daybook(['forget', ...memory.at, '--subject', 'Ada'])
    expect(status).toBe(2)
    expect(stderr).toContain('To confirm, pass --yes')
    expect((await json<{ facts: unknown[] }>(['facts', ...memory.at])).facts).toHaveLength(1)
  })
})

describe('[cli-1] the memory itself on the command line', () => {
  it('is rebuilt to the same answers, and tells its schema', async () => {
    const memory = fresh()
    await daybook(['append', '--create', ...memory.in, 'The parcel is in Lisbon.'])
    // As of a fixed moment: how recent something is counts.
    const asked = ['recall', ...memory.at, 'where is the parcel?', '--as-of', '2100-01-01']
    const before = await json(asked)
    await json(['rebuild', ...memory.at])
    expect(await json(asked)).toEqual(before)
    const old = await json<{ version: number; taken: number; migrations: unknown[] }>([
      'migrate',
      '--memory',
      memory.file,
    ])
    expect(old).toMatchObject({ taken: 0 })
    expect(old.migrations).toHaveLength(old.version)
  })

  it('is brought to the schema of today from that of the first release', async () => {
    const { file } = fresh()
    const database = new BetterSqlite(file)
    database.exec(readFileSync(join(import.meta.dirname, '../fault/golden/schema-1.sql'), 'utf8'))
    database.close()
    const first = await json<{ version: number; taken: number }>(['migrate', '--memory', file])
    expect(first.taken).toBe(first.version - 1)
    expect(await json(['migrate', '--memory', file])).toMatchObject({ version: first.version, taken: 0 })
    const moved = await json<{ sha256: string }>(['migrate', '--memory', file, '--to', `${file}.moved`])
    expect(moved.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await json(['migrate', '--memory', file, '--to', `${file}.moved`])).toMatchObject({ ...moved, stored: 0 })
  })

  it('measures itself on a file of its own', async () => {
    const here = join(place, 'bench')
    mkdirSync(here)
    const { results } = await json<{ results: { what: string; operations: number; perSecond: number }[] }>([
      'bench',
      '--messages',
      '40',
      '--directory',
      here,
    ])
    expect(results.map(({ operations }) => operations)).toEqual([10, 30, 1, 50, 50])
    expect(results.every(({ perSecond }) => perSecond > 0)).toBe(true)
  })
})

describe('[inspector-25] bench recall', () => {
  it('asks the questions of a file again, and ends with 6 if an expected answer is missing', async () => {
    const memory = fresh()
    await daybook(['append', '--create', '--no-learn', ...memory.in, 'The parcel went to Lisbon'])
    const { items } = await json<{ items: { source: { id: string } }[] }>([
      'recall',
      ...memory.at,
      'where is the parcel?',
    ])
    const expected = { scope: 'acme/ada', query: 'where is the parcel?', options: {}, expect: [items[0]?.source.id] }
    const file = `${memory.file}.jsonl`
    const ask = async (...lines: readonly unknown[]): Promise<Ended> => {
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      return daybook(['bench', 'recall', file, '--memory', memory.file, '--json'])
    }
    const found = await ask(expected)
    expect([found.status, JSON.parse(found.stdout)]).toMatchObject([0, { missing: 0, met: [{ places: [1] }] }])
    const missed = await ask(expected, { ...expected, expect: ['nowhere'] })
    expect([missed.status, JSON.parse(missed.stdout)]).toMatchObject([6, { questions: 2, missing: 1 }])
    expect((await ask({ query: 'no scope' })).status).toBe(2)
  })
})

describe('[cli-1] exit statuses', () => {
  const ended = async (
    words: readonly string[],
  ): Promise<Pick<Ended, 'status' | 'stdout'> & { readonly stderr: string }> => daybook(words)

  it('0 and 5: verify tells whole from damaged', async () => {
    const memory = fresh()
    await daybook(['append', '--create', '--no-learn', ...memory.in, 'As it was written'])
    expect(await ended(['verify', '--memory', memory.file])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 message in 1 conversation: all as written\n') as string,
    })
    const database = new BetterSqlite(memory.file)
    const table = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'messages'")
      .pluck()
      .get()
    expect(table).toBe('messages')
    const changed = database.prepare("UPDATE messages SET body = replace(body, 'As it', 'Not as')").run()
    expect(changed.changes).toBe(1)
    database.close()
    const { status, stdout } = await ended(['verify', '--memory', memory.file])
    expect(status).toBe(5)
    expect(stdout).toContain('1 message in 1 conversation: damaged\n')
    expect(stdout).toContain('\n  acme/ada s1: Message 1 is not what was written')
  })

  it('1: it was tried and failed', async () => {
    const file = join(place, 'notes.txt')
    writeFileSync(file, 'these are only notes, and long enough to be no header of anything at all'.repeat(3))
    const { status, stdout, stderr } = await ended(['verify', '--memory', file])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('(store/not-a-database)')
  })

  it.each([
    ['an unknown command', ['shwo'], "unknown command 'shwo'"],
    ['an unknown option', ['show', '--limt', '3'], "unknown option '--limt'"],
    ['a value that is none', ['bench', '--messages', 'many'], 'expected a positive whole number'],
    ['no scope', ['sessions', '--memory', ':memory:'], 'No scope given: pass --scope acme/ada or set DAYBOOK_SCOPE'],
    [
      'no session',
      ['show', '--memory', ':memory:', '--scope', 'a'],
      'No session given: name it after the command, or set DAYBOOK_SESSION',
    ],
    ['a scope that is none', ['sessions', '--memory', ':memory:', '--scope', 'a//b'], '(input/invalid)'],
    ['a kind that is none', ['recall', '--memory', ':memory:', '-s', 'a', '--kinds', 'tales', 'x'], '(input/invalid)'],
    ['too many words', ['verify', 'twice'], 'too many arguments'],
    [
      'text and input',
      ['append', '--memory', ':memory:', '-s', 'a', '-S', 'b', 'x', '--input', '-'],
      'expected either a text',
    ],
  ])('2: %s', async (_, words, message) => {
    const { status, stdout, stderr } = await ended(words)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('3: no such memory, which says how to make one; no such session; no such fact', async () => {
    const memory = fresh()
    const missing = await ended(['show', ...memory.in])
    expect(missing).toMatchObject({ status: 3, stdout: '' })
    expect(missing.stderr).toContain('daybook append --create')
    await daybook(['append', '--create', ...memory.in, 'Hello'])
    expect((await ended(['show', ...memory.at, 'S1'])).status).toBe(3)
    expect((await ended(['retract', ...memory.at, 'nothing'])).status).toBe(3)
  })

  it('4: somebody was first', async () => {
    const memory = fresh()
    await daybook(['append', '--create', ...memory.in, 'Hello'])
    expect((await ended(['append', ...memory.in, '--after', '0', 'Late'])).status).toBe(4)
    await daybook(['fork', ...memory.in, 's2'])
    expect((await ended(['fork', ...memory.in, 's2'])).status).toBe(4)
  })

  it('errors are one JSON document on the error stream with --json', async () => {
    const memory = fresh()
    await daybook(['append', '--create', ...memory.in, 'Hello'])
    const { stdout, stderr } = await ended(['append', ...memory.in, '--after', '0', 'Late', '--json'])
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'log/conflict', details: { after: 0, last: 1 } } })
    expect(JSON.parse((await ended(['show', ...memory.at, 'nope', '--json'])).stderr)).toMatchObject({
      error: { code: 'cli/not-found' },
    })
  })

  it('a reader that finds nothing makes no file', async () => {
    const memory = fresh()
    await ended(['sessions', ...memory.at])
    await expect(openMemory(join(memory.file, 'x'))).rejects.toMatchObject({ code: 'store/cannot-open' })
    expect((await ended(['sessions', ...memory.at])).status).toBe(3)
  })
})
