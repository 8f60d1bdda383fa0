import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parseLocation } from '../../src/opening/location.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-location-'))
afterAll(() => rmSync(directory, { recursive: true }))

const parse = (text: unknown): unknown => parseLocation('open a memory', 'location', text)

describe('a location', () => {
  it.each([
    ['agent.db', { kind: 'file', file: resolve('agent.db') }],
    ['file:agent.db', { kind: 'file', file: resolve('agent.db') }],
    ['FILE:data/agent.db', { kind: 'file', file: resolve('data/agent.db') }],
    ['file:/tmp/agent.db', { kind: 'file', file: '/tmp/agent.db' }],
    ['file:///tmp/an%20agent.db', { kind: 'file', file: '/tmp/an agent.db' }],
    ['C:agent.db', { kind: 'file', file: resolve('C:agent.db') }],
    [':memory:', { kind: 'memory' }],
    ['file::memory:', { kind: 'memory' }],
    ['postgres://app@one,two/agents', { kind: 'postgres', address: 'postgres://app@one,two/agents' }],
    ['PostgreSQL://db/agents', { kind: 'postgres', address: 'PostgreSQL://db/agents' }],
    ['https://memory.example', { kind: 'server', address: 'https://memory.example' }],
  ])('[anywhere-1] %s names its driver', (text, location) => {
    expect(parse(text)).toEqual(location)
  })

  it.each([
    ['', 'a file path'],
    [undefined, 'a file path'],
    ['a\0b', 'a file path'],
    ['mysql://db/agents', 'postgres:// or http://'],
    ['file:', 'such as file:agent.db'],
    ['file:agent.db?mode=ro', 'without parameters'],
    ['file://elsewhere/agent.db', 'on this machine'],
  ])('[anywhere-1] %j is refused with what was expected', (text, expected) => {
    expect(() => parse(text)).toThrow(expected)
  })

  it('[anywhere-1] file:agent.db opens the file agent.db', async () => {
    const file = join(directory, 'agent.db')
    for (const location of [`file:${file}`, pathToFileURL(file).href]) {
      const memory = await openMemory(location)
      await memory.scope('a').session('s').append({ role: 'user', content: location })
      await memory.close()
    }
    const memory = await openMemory(file)
    expect(await memory.scope('a').session('s').count()).toBe(2)
    await memory.close()
    expect(existsSync(`file:${file}`)).toBe(false)
  })
})
