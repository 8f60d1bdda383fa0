import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from '../contract/test-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-encrypted-contract-'))
let files = 0
afterAll(() => rmSync(directory, { recursive: true }))

const file = randomBytes(32)

// [keep-3] Encrypted as a whole, a file is like any other.
testMemory('an encrypted SQLite file', (options) =>
  openMemory(join(directory, `${++files}.db`), { ...options, encryption: { file } }),
)
