import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import type { Project } from './project.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

/** The columns of the table in docs/hosts.md, by what the programs call them. */
const KINDS: Readonly<Record<string, string>> = {
  'a result without its call': 'unpaired',
  'an unknown part': 'unknown',
  '20 MB': 'large',
  'not a scope': 'scope',
  'two runs at once': 'runs',
  'a stale version': 'stale',
  'the same again': 'again',
}

/** Gives an adapter bad input, on a file and through a client: what comes of it is what docs/hosts.md says. */
export async function badInput(project: Project, adapter: string): Promise<void> {
  const expected = documented(adapter)
  expect(Object.keys(expected).length).toBeGreaterThanOrEqual(5)
  for (const [file, program] of [
    ['opened.mjs', 'opened'],
    ['bad-input.mjs', 'bad-input'],
    ['bad.mjs', `bad/${adapter}`],
  ] as const)
    project.write(file, readFileSync(join(PROGRAMS, `${program}.mjs`), 'utf8'))
  for (const location of [`bad-${randomUUID()}.db`, 'served']) {
    const { code, output } = await project.run(process.execPath, ['bad-input.mjs', location], {
      EXPECTED: JSON.stringify(expected),
    })
    expect(code, `${location}: ${output}`).toBe(0)
  }
}

/** What the page says about an adapter. A dash means that there is no such thing in the host. */
function documented(adapter: string): Readonly<Record<string, string>> {
  const page = readFileSync(join(ROOT, 'docs/hosts.md'), 'utf8')
  const [, section = ''] = page.split('## What bad input gets')
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  const cells = (line: string): readonly string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''))
  const [head = '', , ...body] = rows
  const row = body.map(cells).find(([name]) => name === `daybook/${adapter}`) ?? []
  const named = cells(head).map((title, index) => [KINDS[title] ?? '', row[index] ?? ''] as const)
  return Object.fromEntries(named.filter(([kind, outcome]) => kind !== '' && outcome !== '' && outcome !== '–'))
}
