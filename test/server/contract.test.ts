import { openMemory } from '../../src/memory/open-memory.ts'
import { testMemory } from '../contract/test-memory.ts'
import { behindServer } from './behind-server.ts'

// [http-2] [serve-2] The whole suite through a server. The same on PostgreSQL is part of the fault tier.
testMemory(
  'a memory behind a server',
  behindServer((options) => openMemory(':memory:', options)),
)
