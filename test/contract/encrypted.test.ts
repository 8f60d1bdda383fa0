import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from './test-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-encrypted-contract-'))
let files = 0
afterAll(() => rmSync(directory, { recursive: true }))

const file = randomBytes(32)
const content = randomBytes(32)

// [keep-3] Encrypted as a whole, a file is like any other.
testMemory('an encrypted SQLite file', (options) =>
  openMemory(join(directory, `${++files}.db`), { ...options, encryption: { file } }),
)

// [keep-4] With keys for each session, everything works but what searches copies: recall, and what is learned, which the suite of imports asks for too.
testMemory('content that is encrypted', (options) => openMemory(':memory:', { ...options, encryption: { content } }), {
  without: ['recall', 'imports', 'forgettingCopies', 'usersName'],
})
