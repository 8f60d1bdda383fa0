import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ROOT, run } from '../../scripts/run.ts'
import type { Outcome } from '../../scripts/run.ts'

const BOOTSTRAP = join(ROOT, 'scripts/bootstrap.cjs')
const { goodNode } = createRequire(import.meta.url)(BOOTSTRAP) as { goodNode: (version: string) => boolean }

/** A Node on this machine that is too old to develop with, if there is one. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file) && !goodNode(execFileSync(file, ['--version'], { encoding: 'utf8' })))

describe('which Node is good enough', () => {
  it.each(['v24.11.0', 'v24.21.0', 'v26.0.0', 'v30.1.2'])('[repo-7] %s is', (version) => {
    expect(goodNode(version)).toBe(true)
  })

  it.each(['v0.10.48', 'v18.20.0', 'v20.20.2', 'v22.21.0', 'v23.11.0', 'v24.10.0', 'v25.2.0', 'none', ''])(
    '[repo-7] "%s" is not',
    (version) => {
      expect(goodNode(version)).toBe(false)
    },
  )

  it('[repo-7] follows from what the tools accept: on a change here, look at goodNode', () => {
    const accepted = ['tsdown', 'vitest', 'oxlint', 'knip'].map((name) => {
      const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')
      return (JSON.parse(text) as { engines: { node: string } }).engines.node
    })
    expect(accepted).toEqual([
      '^22.18.0 || >=24.11.0',
      '^22.12.0 || ^24.0.0 || >=26.0.0',
      '^20.19.0 || >=22.12.0',
      '^20.19.0 || >=22.12.0',
    ])
  })
})

describe('the bootstrap', () => {
  let clone: string
  let npmCalls: string

  /** A repository of nothing but the bootstrap, with a stand-in for npm that writes down how it was called. */
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'daybook-bootstrap-'))
    npmCalls = join(clone, 'npm-calls')
    mkdirSync(join(clone, 'scripts'))
    cpSync(BOOTSTRAP, join(clone, 'scripts/bootstrap.cjs'))
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
    writeFileSync(join(clone, 'package-lock.json'), '{}')
    writeFileSync(
      join(clone, 'hello.ts'),
      'const text: string = process.version; console.log(text, ...process.argv.slice(2))',
    )
    writeFileSync(join(clone, 'fail.ts'), 'process.exit(7)')
    writeFileSync(join(clone, 'die.ts'), 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 5_000)')
    // The bootstrap reads the version of the process it runs in: this makes that process an old one.
    writeFileSync(join(clone, 'pretend-old.cjs'), 'Object.defineProperty(process, "version", { value: "v16.0.0" })')
    writeFileSync(
      join(clone, 'npm-cli.js'),
      `import fs from 'node:fs'
       const args = process.argv.slice(2)
       fs.appendFileSync(${JSON.stringify(npmCalls)}, args.join(' ') + '\\n')
       if (args.includes('node@24')) {
         fs.mkdirSync('.tools/node_modules/node/bin', { recursive: true })
         fs.symlinkSync(${JSON.stringify(process.execPath)}, '.tools/node_modules/node/bin/node')
       } else fs.mkdirSync('node_modules', { recursive: true })`,
    )
  })

  afterEach(() => rmSync(clone, { recursive: true }))

  /** Runs the last argument through the bootstrap; those before it are for Node. */
  async function bootstrap(node: string, args: readonly string[]): Promise<Outcome> {
    const env = { ...process.env, npm_execpath: join(clone, 'npm-cli.js'), NODE_OPTIONS: '' }
    return run(node, [...args.slice(0, -1), 'scripts/bootstrap.cjs', ...args.slice(-1)], { cwd: clone, env })
  }

  const old = ['--require', './pretend-old.cjs']
  const calls = (): string[] => readFileSync(npmCalls, 'utf8').trim().split('\n')

  it('[repo-6] [repo-10] installs by `npm install` once, then runs the target', async () => {
    const first = await bootstrap(process.execPath, ['hello.ts'])
    expect(first).toMatchObject({ code: 0, output: `daybook: installing dependencies\n${process.version}\n` })
    const second = await bootstrap(process.execPath, ['hello.ts'])
    expect(second).toMatchObject({ code: 0, output: `${process.version}\n` })
    expect(calls()).toEqual([expect.stringMatching(/^install /)])
  })

  it('[repo-6] installs again when the lock changed', async () => {
    await bootstrap(process.execPath, ['hello.ts'])
    writeFileSync(join(clone, 'package-lock.json'), '{"lockfileVersion":3}')
    await bootstrap(process.execPath, ['hello.ts'])
    expect(calls()).toHaveLength(2)
  })

  it('[repo-7] [repo-8] fetches Node into .tools when the running one is too old, and only once', async () => {
    const first = await bootstrap(process.execPath, [...old, 'hello.ts'])
    expect(first.code).toBe(0)
    expect(first.output).toContain('this is Node v16.0.0, wanted 24.11 or later')
    expect(first.output.endsWith(`${process.version}\n`)).toBe(true)
    await bootstrap(process.execPath, [...old, 'hello.ts'])
    expect(calls()).toEqual([
      expect.stringMatching(/^install --prefix \.tools --no-save .*node@24 /),
      expect.stringMatching(/^install --no-save --ignore-scripts/),
    ])
    expect(calls().join()).not.toMatch(/--global|-g |sudo/)
  })

  it.skipIf(oldNode === undefined)('[repo-7] really runs on an old Node, and leaves it for a good one', async () => {
    const { code, output } = await bootstrap(oldNode ?? '', ['hello.ts'])
    expect(code).toBe(0)
    expect(output).toContain('fetching Node 24 into .tools (once)')
    expect(output.endsWith(`${process.version}\n`)).toBe(true)
  })

  it('[repo-7] says what was tried, found and wanted when no Node can be had', async () => {
    writeFileSync(join(clone, 'npm-cli.js'), 'process.exit(3)')
    const { code, output } = await bootstrap(process.execPath, [...old, 'hello.ts'])
    expect(code).toBe(1)
    expect(output).toMatch(
      /Cannot fetch Node 24: "npm install --prefix \.tools .*" exited with 3 and left none in \.tools; wanted 24\.11/,
    )
  })

  it('passes on the exit code and the signal of the target', async () => {
    expect((await bootstrap(process.execPath, ['fail.ts'])).code).toBe(7)
    expect((await bootstrap(process.execPath, ['die.ts'])).code).not.toBe(0)
  })

  it('says so when there is nothing to run', async () => {
    expect((await bootstrap(process.execPath, ['no-such-tool'])).output).toMatch(/Cannot run no-such-tool: no /)
  })
})
