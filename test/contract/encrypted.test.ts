import { randomBytes } from 'node:crypto'
import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from './test-memory.ts'

const content = randomBytes(32)

// [keep-4] With keys for each session, everything works but what searches copies: recall, and what is learned, which the suite of imports asks for too.
testMemory('content that is encrypted', (options) => openMemory(':memory:', { ...options, encryption: { content } }), {
  without: ['recall', 'imports', 'forgettingCopies', 'usersName'],
})
