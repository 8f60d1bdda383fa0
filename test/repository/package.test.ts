import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { layers } from '../../layers.ts'
import { checks } from '../../scripts/checks.ts'
import { ROOT, runTool } from '../../scripts/run.ts'
import { vendored } from '../../scripts/vendored.ts'

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

interface Manifest {
  readonly [field: string]: unknown
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(read('package.json')) as Manifest

describe('the package', () => {
  it('[repo-1] is daybook, modules only, for Node 22.14 and later (on 22.12 and 22.13 the SQLite driver crashes), under Apache-2.0', () => {
    expect(manifest).toMatchObject({
      name: 'daybook',
      type: 'module',
      license: 'Apache-2.0',
      engines: { node: '>=22.14' },
      sideEffects: false,
    })
    expect(manifest).not.toHaveProperty('main')
    expect(read('LICENSE')).toContain('Version 2.0, January 2004')
  })

  it('[repo-1] has a closed export map', () => {
    expect(manifest['exports']).toEqual({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './types': { types: './dist/types.d.ts', default: './dist/types.js' },
      './archive': { types: './dist/archive.d.ts', default: './dist/archive.js' },
      './client': {
        types: './dist/client/index.d.ts',
        node: './dist/client/index.js',
        default: './dist/client/web.js',
      },
      './dialects': { types: './dist/dialects.d.ts', default: './dist/dialects.js' },
      './server': { types: './dist/server/index.d.ts', default: './dist/server/index.js' },
      './doctor': { types: './dist/doctor/index.d.ts', default: './dist/doctor/index.js' },
      './documents': { types: './dist/documents/index.d.ts', default: './dist/documents/index.js' },
      './mem0': { types: './dist/adapters/mem0/index.d.ts', default: './dist/adapters/mem0/index.js' },
      './ai-sdk': { types: './dist/adapters/ai-sdk/index.d.ts', default: './dist/adapters/ai-sdk/index.js' },
      './openai-agents': {
        types: './dist/adapters/openai-agents/index.d.ts',
        default: './dist/adapters/openai-agents/index.js',
      },
      './claude-agent': {
        types: './dist/adapters/claude-agent/index.d.ts',
        default: './dist/adapters/claude-agent/index.js',
      },
      './adk': { types: './dist/adapters/adk/index.d.ts', default: './dist/adapters/adk/index.js' },
      './strands': { types: './dist/adapters/strands/index.d.ts', default: './dist/adapters/strands/index.js' },
      './langgraph': { types: './dist/adapters/langgraph/index.d.ts', default: './dist/adapters/langgraph/index.js' },
      './anthropic': { types: './dist/adapters/anthropic/index.d.ts', default: './dist/adapters/anthropic/index.js' },
      './package.json': './package.json',
    })
  })

  it.each(['daybook/dist/index.js', 'daybook/src/index.ts', 'daybook/memory', 'daybook/dist/memory/open-memory.js'])(
    '[repo-1] cannot be entered by %s',
    (path) => {
      const { resolve } = createRequire(import.meta.url)
      expect(() => resolve(path)).toThrow(expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }))
    },
  )

  it('[repo-1] is checked in the strictest settings of TypeScript 7', () => {
    const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: Record<string, unknown> }
    expect(manifest.devDependencies['typescript']).toMatch(/^\^7\./)
    for (const flag of [
      'strict',
      'exactOptionalPropertyTypes',
      'noUncheckedIndexedAccess',
      'noImplicitOverride',
      'noImplicitReturns',
      'noFallthroughCasesInSwitch',
      'noPropertyAccessFromIndexSignature',
      'noUnusedLocals',
      'noUnusedParameters',
      'noUncheckedSideEffectImports',
      'isolatedDeclarations',
      'erasableSyntaxOnly',
      'verbatimModuleSyntax',
    ]) {
      expect(compilerOptions, flag).toHaveProperty(flag, true)
    }
    expect(compilerOptions).toMatchObject({ allowUnreachableCode: false, allowUnusedLabels: false })
  })

  it('[repo-1] needs these packages to run, and every dependency has its reason in docs/dependencies.md', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@clack/prompts', 'better-sqlite3', 'commander', 'yauzl'])
    const { dependencies, peerDependencies, devDependencies } = manifest
    const declared = [dependencies, peerDependencies, devDependencies].flatMap(Object.keys)
    const explained = [...read('docs/dependencies.md').matchAll(/^\| `(\S+)` +\| \S.+\|$/gm)].map(([, name]) => name)
    expect(explained.toSorted()).toEqual(declared.toSorted())
  })
})

it('[anywhere-9] builds in only packages that the sources import', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  for (const id of Object.keys(vendored)) expect(sources).toMatch(new RegExp(`(from |import\\()'${id}'`))
})

describe('the tree', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const lines = read('ARCHITECTURE.md').split('\n')
  const described = lines.flatMap((line) => /^ {2}(\w+)\/ +\S/.exec(line)?.[1] ?? [])

  it.each(folders.map((folder) => folder.name))('[repo-2] src/%s has its line in ARCHITECTURE.md', (name) => {
    expect(described).toContain(name)
  })

  it('[repo-2] is the same in ARCHITECTURE.md and layers.ts', () => {
    const known = new Set(Object.keys(layers).flatMap((layer) => (layer === '.' ? [] : (layer.split('/')[0] ?? []))))
    expect(described.toSorted()).toEqual([...known].toSorted())
  })
})

describe('the lock', () => {
  it('[repo-10] is committed, is used by `npm install`, and names no registry', () => {
    expect(read('scripts/bootstrap.cjs')).toContain("npm(node, ['install', '--no-save', '--ignore-scripts'])")
    expect(Object.values(manifest.scripts).join()).not.toContain('npm ci')
    const lock = read('package-lock.json')
    expect(lock).not.toContain('"resolved"')
    expect(lock).not.toContain('.tgz')
    expect(read('.gitignore')).not.toContain('package-lock')
  })
})

describe('the build', () => {
  let dist: string

  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'daybook-dist-'))
    const { code, output } = await runTool('tsdown', ['--out-dir', dist])
    if (code !== 0) throw new Error(output)
  })

  afterAll(() => rmSync(dist, { recursive: true }))

  it('[repo-11] writes types that mirror src/ and programs in chunks, with the root export at dist/index.js', () => {
    const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|d\.ts)$/.test(file))
    const targets = Object.values(manifest['exports'] as Record<string, string | { readonly default: string }>)
    for (const { default: file } of targets.filter((target) => typeof target !== 'string'))
      expect(built).toEqual(
        expect.arrayContaining([file.slice('./dist/'.length), file.slice('./dist/'.length).replace(/js$/, 'd.ts')]),
      )
    expect(built).toContain('cli/main.js')
    const types = built.filter((file) => file.endsWith('.d.ts'))
    expect(types.filter((file) => !existsSync(join(ROOT, 'src', file.replace(/\.d\.ts$/, '.ts'))))).toEqual([])
  })

  it('[repo-11] has every worker beside the program that starts it', () => {
    const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    const addresses = built.flatMap((file) =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/new URL\(`\.\/([\w-]+)\$\{extname/g)].map(([, name = '']) =>
        join(file, '..', `${name}.js`),
      ),
    )
    expect(addresses.toSorted()).toEqual(
      ['check-worker', 'copy-worker', 'search-files', 'vacuum-worker'].map((name) => `stores/sqlite/${name}.js`),
    )
    expect(built).toEqual(expect.arrayContaining(addresses))
  })

  it('[surface-5] publishes the interfaces of `api/`: no store, no port but those that users implement, no local class', () => {
    const published = new Set<string>()
    const walk = (file: string): void => {
      if (published.has(file) || !existsSync(join(dist, file))) return
      published.add(file)
      for (const [, path = ''] of readFileSync(join(dist, file), 'utf8').matchAll(/from ["'](\.[^"']+)["']/g))
        walk(join(file, '..', path.replace(/\.js$/, '.d.ts')))
    }
    for (const entry of ['index', 'types', 'archive', 'dialects', 'client/index', 'server/index']) walk(`${entry}.d.ts`)
    const forUsers = ['clock', 'embedder', 'language-model', 'tokenizer'].map((port) => `ports/${port}.d.ts`)
    const internal = /^(ports|stores|sealing|log|knowledge|jobs|forgetting)\//
    expect([...published].filter((file) => internal.test(file) && !forUsers.includes(file))).toEqual([])
    const local = [...published].filter((file) => /class Local/.test(readFileSync(join(dist, file), 'utf8')))
    expect(local).toEqual([])
    const withPrivateParts = [...published].filter((file) =>
      /#private|^\s+private /m.test(readFileSync(join(dist, file), 'utf8')),
    )
    expect(withPrivateParts).toEqual([])
    expect([...published]).toContain('api/session.d.ts')
  })

  it('[repo-11] is written by `npm run build`', () => {
    expect(manifest.scripts['build']).toBe('node scripts/bootstrap.cjs scripts/build.ts')
  })
})

describe('the scripts', () => {
  it('[repo-12] check types, lint, format, dead code and the package, together and one by one', () => {
    expect(checks.map((check) => check.name).toSorted()).toEqual([
      'dead',
      'format',
      'lint',
      'package',
      'page',
      'types',
      'words',
    ])
    expect(manifest.scripts).toHaveProperty('check')
    for (const { name } of checks) expect(manifest.scripts).toHaveProperty([`check:${name}`])
    expect(read('scripts/check-package.ts')).toMatch(/'publint'[\s\S]*'attw'/)
  })

  it('[repo-13] have one command for each tier', () => {
    const { scripts } = manifest
    expect(scripts['test']).toMatch(/test\.ts check unit laws$/)
    expect(scripts['test:unit']).toMatch(/test\.ts unit$/)
    expect(scripts['test:fault']).toMatch(/test\.ts fault$/)
    expect(scripts['test:nightly']).toMatch(/test\.ts nightly$/)
    expect(scripts['test:soak']).toMatch(/test\.ts soak$/)
    expect(scripts).toHaveProperty('bench')
  })

  it('[repo-6] go through the bootstrap', () => {
    const direct = Object.entries(manifest.scripts).filter(
      ([, script]) => !script.startsWith('node scripts/bootstrap.cjs '),
    )
    expect(direct).toEqual([['prepack', 'npm run build && npm run docs:pages']])
    expect(manifest.scripts['start']).toMatch(/ scripts\/start\.ts$/)
  })

  it('[repo-14] include .ci/run, which calls `npm test` and can be executed', () => {
    expect(read('.ci/run')).toMatch(/^npm test /m)
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).not.toBe(0)
  })
})
