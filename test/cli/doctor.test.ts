import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Diagnosis, Finding } from '../../src/doctor/index.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { secrets } from '../doctor/corpus.ts'
import { daybook, folder } from './harness.ts'

const BROKEN = [
  { role: 'user', content: 'Read my notes.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'user', content: `My token is ${secrets['%github%']}` },
]

function file(name: string, content: unknown): string {
  const path = join(folder(), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('[doc-3] daybook doctor', () => {
  it('names what is wrong, where, and what a repair changes; the status tells', async () => {
    const path = file('broken.json', BROKEN)
    const { status, stdout } = await daybook(['doctor', path])
    expect(status).toBe(6)
    expect(stdout).toContain('error O2 /1/tool_calls/0')
    expect(stdout).toContain('error secret /2/content')
    expect(stdout).toContain('+ /2 {"role":"tool","tool_call_id":"c1"')
    expect(stdout).toContain('This is a transcript (openai) with 3 messages: 2 errors, 0 warnings')
    expect(stdout).not.toContain(secrets['%github%'])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(BROKEN)
  })

  it('answers with JSON', async () => {
    const { status, stdout } = await daybook(['doctor', file('broken.json', BROKEN), '--json'])
    const { kind, dialect, findings } = JSON.parse(stdout) as Diagnosis
    expect([status, kind, dialect, findings.map(({ rule }) => rule)]).toEqual([
      6,
      'transcript',
      'openai',
      ['secret', 'O2'],
    ])
  })

  it('writes a repaired copy beside the original, in which it finds nothing, and never over a file', async () => {
    const path = file('broken.json', BROKEN)
    const copy = path.replace('.json', '.repaired.json')
    expect(await daybook(['doctor', path, '--fix'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing is left') as string,
    })
    expect(await daybook(['doctor', copy])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing is wrong') as string,
    })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(BROKEN)
    const kept = readFileSync(copy, 'utf8')
    expect(await daybook(['doctor', path, '--fix'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('a file with this name exists') as string,
    })
    expect(await daybook(['doctor', path, '--fix', '--out', path])).toMatchObject({ status: 2 })
    expect(readFileSync(copy, 'utf8')).toBe(kept)
    const out = join(folder(), 'clean.json')
    expect(await daybook(['doctor', path, '--fix', '--out', out, '--ignore', 'secret'])).toMatchObject({ status: 0 })
    expect(readFileSync(out, 'utf8')).toContain(secrets['%github%'])
  })

  it('writes no copy when there is nothing to repair, and ends with what is left for you to decide', async () => {
    const loop = [
      { role: 'user', content: 'Go.' },
      ...[1, 2, 3].flatMap((n) => [
        { role: 'assistant', content: 'I will now look at the file.' },
        { role: 'user', content: `And? ${n}` },
      ]),
    ]
    const path = file('loop.json', loop)
    expect(await daybook(['doctor', path, '--fix'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('no copy was written') as string,
    })
    expect(existsSync(path.replace('.json', '.repaired.json'))).toBe(false)
    expect(await daybook(['doctor', path, '--strict'])).toMatchObject({ status: 6 })
    expect(await daybook(['doctor', path, '--strict', '--ignore', 'echo-loop'])).toMatchObject({ status: 0 })
  })

  it('refuses what it cannot read, and a dialect that it does not know', async () => {
    expect(await daybook(['doctor', join(folder(), 'none.json')])).toMatchObject({ status: 3 })
    expect(await daybook(['doctor', folder()])).toMatchObject({ status: 3 })
    expect(await daybook(['doctor', file('text.txt', 'Dear diary')])).toMatchObject({ status: 6 })
    expect(await daybook(['doctor', file('a.json', BROKEN), '--dialect', 'klingon'])).toMatchObject({ status: 2 })
  })
})

describe('[doc-1] daybook doctor of a memory', () => {
  it('reads every conversation and fact, and says where', async () => {
    const path = join(folder(), 'agent.db')
    const memory = await openMemory(path, { learn: false })
    const chat = memory.scope('acme/ada').session('s1')
    await chat.append([
      { role: 'user', content: 'Read my notes.' },
      { role: 'tool', content: 'Buy milk.', toolCallId: 'c9' },
      { role: 'user', content: `Key: ${secrets['%anthropic%']}` },
    ])
    await memory
      .scope('acme/ada')
      .remember({ subject: 'Ada', predicate: 'has token', object: secrets['%github%'] ?? '' })
    await memory.close()

    const { status, stdout } = await daybook(['doctor', path, '--json'])
    const { kind, records, findings } = JSON.parse(stdout) as Diagnosis
    expect([status, kind, records]).toEqual([6, 'store', 3])
    const told = (rule: string): readonly Finding[] => findings.filter((finding) => finding.rule === rule)
    expect(told('C2')[0]?.place).toMatchObject({ scope: 'acme/ada', session: 's1', seq: 2 })
    expect(told('secret')[0]?.place).toMatchObject({ scope: 'acme/ada', session: 's1', seq: 3 })
    expect(told('secret').some(({ message }) => message.includes('(fact '))).toBe(true)
    for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret)
    const anthropic = await daybook(['doctor', path, '--json', '--dialect', 'anthropic'])
    expect(anthropic.stdout).toContain('anthropic: ')
    expect(await daybook(['doctor', '--memory', path])).toMatchObject({ status: 6 })
    expect(await daybook(['doctor', path, '--fix'])).toMatchObject({ status: 2 })
  })

  it('finds nothing wrong with a sound one, and damage in a damaged one', async () => {
    const path = join(folder(), 'agent.db')
    const memory = await openMemory(path, { learn: false })
    await memory.scope('a').session('s').append({ role: 'user', content: 'The heron is grey.' })
    await memory.close()
    expect(await daybook(['doctor', path])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing is wrong') as string,
    })
    const bytes = readFileSync(path)
    const at = bytes.indexOf('heron')
    bytes.write('stork', at)
    writeFileSync(path, bytes)
    const damaged = await daybook(['doctor', path, '--json'])
    expect(damaged.status).toBe(5)
    expect((JSON.parse(damaged.stdout) as Diagnosis).findings[0]).toMatchObject({ rule: 'damage', severity: 'error' })
  })
})
