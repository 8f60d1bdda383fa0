import { afterAll } from 'vitest'
import { testMemory } from './test-memory.ts'
import { Subjects } from '../postgres/database.ts'

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

// [pg-1] [pg-2] [pg-18] The same suite that SQLite runs, on a server.
testMemory('PostgreSQL', (options) => subjects.open(options))
