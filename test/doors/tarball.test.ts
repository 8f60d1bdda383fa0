import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { run } from '../../scripts/run.ts'
import { MEGABYTES_MAX, PACKAGES_MAX, bytesOf } from '../../scripts/weight.ts'
import { type Project, makeProject } from './project.ts'

describe('the tarball', () => {
  let project: Project
  let installed: string
  let files: readonly string[]
  const again = mkdtempSync(join(tmpdir(), 'daybook-again-'))
  afterAll(() => rmSync(again, { recursive: true }))

  beforeAll(async () => {
    project = await makeProject([])
    installed = join(project.folder, 'node_modules/daybook')
    files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  })

  it('[anywhere-9] installs as at most 50 MB in 20 packages', () => {
    const modules = join(project.folder, 'node_modules')
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object }
    const packages = Object.keys(lock.packages).length
    const megabytes = bytesOf(modules) / 2 ** 20
    console.log(`npm install daybook: ${megabytes.toFixed(1)} MB in ${packages} packages`)
    expect(packages).toBeLessThanOrEqual(PACKAGES_MAX)
    expect(megabytes).toBeLessThanOrEqual(MEGABYTES_MAX)
  })

  it('[anywhere-10] has the documents, and their links work from there', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs/cli.md']),
    )
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(join(installed, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, target = '']) => target)
          .filter((target) => !existsSync(join(installed, dirname(file), target)))
          .map((target) => `${file}: ${target}`),
      )
    expect(broken).toEqual([])
  })

  it('[anywhere-10] has a source map for each file of ours, with the source that it names', () => {
    const scripts = files.filter((file) => /^dist\/(?!vendor|_virtual).*\.js$/.test(file))
    const without = scripts.filter((file) => {
      const map = join(installed, `${file}.map`)
      // A file that only re-exports has nothing to map.
      if (!existsSync(map)) return /^(?!import|export|\/\/|#!|$)/m.test(readFileSync(join(installed, file), 'utf8'))
      const { sources, sourcesContent } = JSON.parse(readFileSync(map, 'utf8')) as Record<string, readonly string[]>
      return sources?.length !== sourcesContent?.length || sourcesContent?.includes('')
    })
    expect(scripts.length).toBeGreaterThan(100)
    expect(without).toEqual([])
  })

  it('[anywhere-10] has an SBOM and the licence of everything that is built in', () => {
    const sbom = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string; properties: { value: string }[] }[]
    }
    const licences = readFileSync(join(installed, 'dist/vendor/LICENSES.txt'), 'utf8')
    const builtIn = sbom.components.filter(({ properties }) => properties[0]?.value === 'built in')
    expect(builtIn.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@modelcontextprotocol/server', 'chrono-node', 'gpt-tokenizer', 'hono']),
    )
    for (const { name, version } of builtIn) expect(licences).toContain(`${name} ${version}\n`)
    const lock = JSON.parse(readFileSync(join(project.folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>
    }
    const beside = sbom.components.filter(({ properties }) => properties[0]?.value === 'installed')
    expect(beside.map(({ name }) => `node_modules/${name}`).toSorted()).toEqual(
      Object.keys(lock.packages)
        .filter((path) => path !== 'node_modules/daybook')
        .toSorted(),
    )
  })

  it('[anywhere-11] is equal to the byte when it is built again', async () => {
    const { code, output } = await run('npm', ['pack', '--pack-destination', again])
    expect(code, output).toBe(0)
    const hash = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
    expect(hash(join(again, readdirSync(again)[0] ?? ''))).toBe(hash(inject('tarball')))
  })
})
