import { afterAll } from 'vitest'
import { testMemory } from '../contract/test-memory.ts'
import { behindServer } from '../server/behind-server.ts'
import { Subjects } from './database.ts'

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

// [http-2] [serve-2]
testMemory(
  'a memory in PostgreSQL behind a server',
  behindServer((options) => subjects.open(options)),
)
