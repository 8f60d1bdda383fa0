import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from './test-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-contract-'))
let files = 0
afterAll(() => rmSync(directory, { recursive: true }))

/** What runs this: `test/doors/runtimes.test.ts` starts it on each. */
const runtime = 'Deno' in globalThis ? 'Deno' : 'bun' in process.versions ? 'Bun' : 'Node'

// [log-3] [log-11] [log-12] The suite takes any way to open a memory; these are its first subjects.
testMemory(`an SQLite file on ${runtime}`, (options) => openMemory(join(directory, `${++files}.db`), options))
testMemory('SQLite in memory', (options) => openMemory(':memory:', options))
