import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT, runTool } from '../../scripts/run.ts'
import { type Ended, folder, runProcess } from '../cli/harness.ts'

interface Manifest {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest

describe('[serve-8] the packed tarball in an empty project', () => {
  const place = folder()
  const project = join(place, 'project')
  const installed = join(project, 'node_modules/daybook')
  const bin = join(project, 'node_modules/.bin/daybook')

  // What `npm install daybook.tgz` does, without a registry: unpacks, links what it depends on and nothing else, links the program.
  beforeAll(async () => {
    const stage = join(place, 'stage')
    const { code, output } = await runTool('tsdown', ['--out-dir', join(stage, 'dist')])
    if (code !== 0) throw new Error(output)
    for (const file of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'])
      cpSync(join(ROOT, file), join(stage, file))
    const packed = await runProcess('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
      cwd: stage,
    })
    expect(packed.status, packed.stderr).toBe(0)
    mkdirSync(installed, { recursive: true })
    mkdirSync(dirname(bin), { recursive: true })
    const tarball = join(place, packed.stdout.trim())
    const unpacked = await runProcess('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
    expect(unpacked.status, unpacked.stderr).toBe(0)
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(project, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), link)
    }
    symlinkSync(join(installed, manifest.bin['daybook'] ?? ''), bin)
  }, 300_000)

  const daybook = (words: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> =>
    runProcess(process.execPath, [bin, ...words], { cwd: project, input, env })

  it('has a program that a shell can start', async () => {
    expect(readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(await daybook(['--version'])).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  it('works: appends, shows, recalls, verifies', async () => {
    const at = ['--scope', 'acme/ada']
    expect(await daybook(['append', '--create', ...at, '--session', 'first', 'Order 7731 is late.'])).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(existsSync(join(project, 'daybook.db'))).toBe(true)
    expect((await daybook(['show', ...at, 'first'])).stdout).toContain('Order 7731 is late.')
    expect((await daybook(['recall', ...at, 'what is late?'])).stdout).toContain('Order 7731 is late.')
    expect((await daybook(['verify'])).status).toBe(0)
  })

  it('[cli-3] names the packages that chat needs and nobody installed', async () => {
    const words = ['chat', '--scope', 'acme/ada', 'talk', '--create']
    const { status, stdout, stderr } = await daybook(words, 'Hello\n', { OPENAI_API_KEY: 'k' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('expected: npm install ai')
    expect((await daybook(['show', '--scope', 'acme/ada', 'talk'])).status).toBe(3)
    // Without a provider a script replies, and needs no package.
    expect((await daybook(words, 'Hello\n')).stdout).toContain('[scripted, no language model]')
  })

  it('does not load the command line with the library', async () => {
    const program = `
      const { registerHooks } = await import('node:module')
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      await import('daybook')
      console.log(JSON.stringify(loaded.filter((url) => /commander|clack|dist\\/cli/.test(url))))`
    const { stdout, stderr } = await runProcess(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project,
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([])
  })
})
