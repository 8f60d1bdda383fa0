import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { run } from '../../scripts/run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The packed package, as it would be published. */
    readonly tarball: string
  }
}

/** Builds and packs the package once, for all tests of this tier. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-doors-'))
  const { code, output } = await run('npm', ['pack', '--pack-destination', folder])
  if (code !== 0) throw new Error(output)
  project.provide('tarball', join(folder, readdirSync(folder)[0] ?? ''))
  return () => rmSync(folder, { recursive: true })
}
