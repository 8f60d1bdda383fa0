import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import type { Project } from './project.ts'

interface ExampleRuns {
  /** The words of each process, one after the other. */
  readonly runs: readonly (readonly string[])[]
  /** What the last one prints. */
  readonly prints: RegExp
  /** A module that plays the part of the model. */
  readonly preload?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the example of a host on a new memory. */
export async function runExample(
  project: Project,
  host: string,
  { runs, prints, preload, env }: ExampleRuns,
): Promise<void> {
  for (const end of ['', '-wal', '-shm']) rmSync(join(project.folder, `agent.db${end}`), { force: true })
  project.write('example.mjs', readFileSync(join(ROOT, `examples/${host}/agent.mjs`), 'utf8'))
  const before = preload === undefined ? [] : ['--import', preload]
  let printed = ''
  for (const words of runs) {
    const { code, output, stdout } = await project.run(process.execPath, [...before, 'example.mjs', ...words], env)
    expect(code, output).toBe(0)
    printed = stdout
  }
  expect(printed).toMatch(prints)
}
