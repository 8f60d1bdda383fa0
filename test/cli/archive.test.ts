import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { fill } from '../archive/scene.ts'
import { daybook, folder } from './harness.ts'

const place = folder()
const memory = join(place, 'memory.db')
const inPlace = (name: string): string => join(place, name)

beforeAll(async () => {
  await using opened = await openMemory(memory, { learn: false })
  await fill(opened)
})

describe('[arc-1] daybook export and import', () => {
  it('take a memory out and bring it in, to the byte', async () => {
    const out = await daybook(['export', '--memory', memory, inPlace('all.daybook')])
    expect(out).toMatchObject({ status: 0, stderr: '' })
    expect(statSync(inPlace('all.daybook')).mode & 0o777).toBe(0o600)
    const again = await daybook(['export', '--memory', memory, inPlace('all.daybook'), '--json'])
    expect(again.status).toBe(4)
    expect(again.stderr).toContain('store/exists')

    const other = inPlace('other.db')
    expect((await daybook(['import', '--memory', other, inPlace('all.daybook')])).status).toBe(3)
    const brought = await daybook(['import', '--create', '--memory', other, inPlace('all.daybook'), '--json'])
    expect(JSON.parse(brought.stdout)).toMatchObject({ sessions: 7 })
    const twice = await daybook(['import', '--memory', other, inPlace('all.daybook')])
    expect(twice.stdout).toContain('everything was already stored')
    const piped = await daybook(['export', '--memory', other, '-'])
    expect(piped.stdout).toBe(readFileSync(inPlace('all.daybook'), 'utf8'))
  })

  it('take a scope or a conversation, through a pipe', async () => {
    const scope = await daybook(['export', '--memory', memory, '--scope', 'acme/ada', '-'])
    expect(scope.stdout).not.toContain('zeta')
    const session = await daybook(['export', '--memory', memory, '--scope', 'acme/ada', '--session', 'long', '-'])
    expect(session.stdout.split('\n')[0]).toContain('"of":{"scope":"acme/ada","session":"long"}')
    const into = ['import', '--create', '--memory', inPlace('piped.db'), '--scope', 'acme/ada', '-', '--json']
    const brought = await daybook(into, session.stdout)
    expect(JSON.parse(brought.stdout)).toMatchObject({ sessions: 1, messages: 25 })
    const none = await daybook(['export', '--memory', memory, '--scope', 'acme/ada', '--session', 'nobody', '-'])
    expect(none).toMatchObject({ status: 3, stdout: '' })
    expect((await daybook(['export', '--memory', memory, '--session', 'long', '-'])).status).toBe(2)
    expect((await daybook(['export', '--memory', memory])).status).toBe(2)
  })

  it('[arc-2] refuse a torn or changed archive with the line, before anything is stored', async () => {
    const { stdout } = await daybook(['export', '--memory', memory, '-'])
    writeFileSync(inPlace('torn.daybook'), stdout.slice(0, -40))
    writeFileSync(inPlace('changed.daybook'), stdout.replace('On its way.', 'On my way..'))
    for (const [name, line] of [
      ['torn.daybook', stdout.split('\n').length - 1],
      ['changed.daybook', stdout.split('\n').findIndex((text) => text.includes('On its way.')) + 1],
    ] as const) {
      const file = inPlace(`${name}.db`)
      const refused = await daybook(['import', '--create', '--memory', file, inPlace(name), '--json'])
      expect(refused.status).toBe(5)
      expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'archive/damaged', details: { line } } })
      await using opened = await openMemory(file)
      expect((await opened.verify()).sessions).toBe(0)
    }
    const checked = await daybook(['import', '--memory', memory, '--dry-run', '-', '--json'], stdout)
    expect(JSON.parse(checked.stdout)).toMatchObject({ dryRun: true, of: {}, records: { session: 7 } })
  })
})

describe('[arc-3] daybook export --markdown', () => {
  it('shows a conversation, or what a scope knows', async () => {
    const session = await daybook([
      'export',
      '--memory',
      memory,
      '--scope',
      'acme/ada',
      '--session',
      'support',
      '--markdown',
    ])
    expect(session.stdout).toContain('# support')
    expect(session.stdout).toContain('> It is on its way.')
    const facts = await daybook(['export', '--memory', memory, '--scope', 'acme/ada', '--markdown'])
    expect(facts.stdout).toContain('## Ada')
    expect(facts.stdout).toContain('**prefers** email')
  })

  it('[words-9] uses the only scope of a memory, as chat and mcp do', async () => {
    const at = ['--memory', inPlace('one-scope.db')]
    await daybook(['append', ...at, '--create', '--scope', 'me', 'first', 'Hello'])
    await daybook(['remember', ...at, 'Ada prefers email'])
    expect((await daybook(['export', ...at, '--markdown'])).stdout).toContain('Ada prefers email')
    expect((await daybook(['export', ...at, '--session', 'first', '--markdown'])).stdout).toContain('Hello')
    expect((await daybook(['export', ...at, '--session', 'first', '-'])).stdout).toContain('Hello')
    const file = inPlace('one-session.daybook')
    expect(await daybook(['export', ...at, '--session', 'first', file])).toMatchObject({ status: 0 })
    expect((await daybook(['chat', ...at, 'first'], 'What did I say?\n')).status).toBe(0)
    expect((await daybook(['mcp', ...at])).status).toBe(0)
    const several = await daybook(['export', '--memory', memory, '--markdown'])
    expect(several).toMatchObject({ status: 2, stderr: expect.stringContaining('No scope given') })
  })
})

describe('[keep-5] daybook backup and restore', () => {
  it('copy a memory and put it back', async () => {
    const backup = inPlace('backup.db')
    const made = await daybook(['backup', '--memory', memory, backup, '--json'])
    expect(JSON.parse(made.stdout)).toMatchObject({ file: backup, sessions: 7 })
    expect((await daybook(['backup', '--memory', memory, backup])).status).toBe(4)
    const target = inPlace('restored.db')
    expect((await daybook(['restore', backup, '--memory', target])).status).toBe(0)
    expect((await daybook(['restore', backup, '--memory', target])).status).toBe(4)
    const forced = await daybook(['restore', backup, '--memory', target, '--force', '--json'])
    const { former } = JSON.parse(forced.stdout) as { former: string }
    expect(statSync(former).isFile()).toBe(true)
    expect((await daybook(['verify', '--memory', target])).status).toBe(0)
    expect((await daybook(['restore', backup, '--memory', 'postgres://somewhere/x'])).stderr).toContain('pg_restore')
  })
})
