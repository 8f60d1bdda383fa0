import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freshDatabase } from '../postgres/database.ts'
import { times } from '../tier.ts'
import type { Project } from './project.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

/**
 * Runs the program that compares an adapter with its host on random sequences: on a file, and a quarter of them on PostgreSQL and
 * through a client. Prints how many were compared.
 */
export async function compareOnStores(project: Project, adapter: string, sequences: number): Promise<void> {
  for (const [file, program] of [
    ['opened.mjs', 'opened'],
    ['compare.mjs', adapter],
  ] as const)
    project.write(file, readFileSync(join(PROGRAMS, `${program}.mjs`), 'utf8'))
  const onFile = times({ daily: sequences, nightly: 50 * sequences })
  await using database = await freshDatabase()
  for (const [store, location, options] of [
    ['a file', `compared-${randomUUID()}.db`, {}],
    ['PostgreSQL', database.url, { postgres: database.postgres }],
    ['a client', 'served', {}],
  ] as const) {
    const runs = store === 'a file' ? onFile : Math.ceil(onFile / 4)
    const words = ['compare.mjs', location, String(runs), JSON.stringify(options)]
    const { code, output, stdout } = await project.run(process.execPath, words)
    expect(code, output).toBe(0)
    console.log(`${adapter} on ${store}, compared with the host: ${stdout.trim()}`)
  }
}
