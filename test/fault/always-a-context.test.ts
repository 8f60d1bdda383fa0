import { afterAll, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { Subjects } from '../postgres/database.ts'
import { alwaysAContext } from '../property/always-a-context.ts'
import { behindServer } from '../server/behind-server.ts'
import { times } from '../tier.ts'

const subjects = new Subjects()
afterAll(() => subjects[Symbol.asyncDispose]())

const openings: readonly (readonly [where: string, open: () => Promise<Memory>, cases: number])[] = [
  ['in SQLite', () => openMemory(':memory:', { learn: false }), times({ daily: 1_700, nightly: 10_000 })],
  ['in PostgreSQL', () => subjects.open({ learn: false }), times({ daily: 150, nightly: 10_000 })],
  [
    'through the client',
    () => behindServer(() => openMemory(':memory:', { learn: false }))(),
    times({ daily: 150, nightly: 10_000 }),
  ],
]

it.each(openings)(
  '[contexts-1] [contexts-7] [contexts-8] there is always a context, reading never writes, and nothing is invisible %s',
  async (_, open, cases) => {
    const { contexts } = await alwaysAContext(open, cases)
    if (contexts < cases) throw new Error(`Only ${contexts} contexts were built, expected ${cases}`)
  },
  times({ daily: 20, nightly: 240 }) * 60_000,
)
