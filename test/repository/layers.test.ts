import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { beforeAll, describe, expect, it } from 'vitest'

import { layers } from '../../layers.ts'
import { ROOT, runTool } from '../../scripts/run.ts'

const FIXTURE = 'test/fixtures/layers'

const fixtures = readdirSync(join(ROOT, FIXTURE, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const forbidden = fixtures.filter((file) => file.includes('imports-'))
const allowed = fixtures.filter((file) => !file.includes('imports-'))

interface Diagnostic {
  readonly filename: string
  readonly code: string
  readonly help?: string
}

/** `domain/deeper/imports-store.ts` is of the layer `domain`; a sub-folder with a row of its own is a layer too. */
function layerOf(file: string): string | undefined {
  const folders = file.split('/').slice(0, -1)
  const paths = folders.map((_, index) => folders.slice(0, index + 1).join('/'))
  return folders.length === 0 ? '.' : paths.findLast((path) => path in layers)
}

describe('layers.ts', () => {
  const rejections = new Map<string, string>()

  beforeAll(async () => {
    const config = `${FIXTURE}/rules.config.ts`
    const { stdout } = await runTool('oxlint', ['--config', config, '--format', 'json', `${FIXTURE}/src`])
    for (const { filename, code, help } of (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics) {
      rejections.set(filename.slice(`${FIXTURE}/src/`.length), `${code}: ${help ?? ''}`)
    }
  })

  it.each(forbidden)('[repo-3] lint rejects %s', (file) => {
    expect(rejections.get(file)).toMatch(/no-restricted-imports\): src\/.* may not import this: see layers\.ts/)
  })

  it.each(allowed)('[repo-3] lint accepts %s', (file) => {
    expect(rejections.get(file)).toBeUndefined()
  })

  it('[repo-3] has a forbidden import in the fixture for every folder of the table', () => {
    const proven = new Set(forbidden.map(layerOf))
    const folders = Object.keys(layers).filter((name) => !name.endsWith('.ts'))
    expect(folders.filter((folder) => !proven.has(folder))).toEqual([])
  })

  it('[repo-3] knows every folder of src/ that holds a file', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.ts') && layerOf(file) === undefined)).toEqual([])
  })

  it('[repo-3] [surface-42] has no row for a folder or file that does not exist', () => {
    expect(Object.keys(layers).filter((name) => !existsSync(join(ROOT, 'src', name)))).toEqual([])
  })

  it('[repo-3] [surface-42] has the row of a sub-folder after the row of its folder, so that it counts', () => {
    const names = Object.keys(layers)
    const early = names.filter((name, index) => names.indexOf(dirname(name)) > index)
    expect(early).toEqual([])
    expect(
      names.filter((name) => names.includes(dirname(name)) && !name.endsWith('.ts') && dirname(name) !== '.'),
    ).not.toEqual([])
  })

  it('[surface-43] leaves handles and wiring in memory/: at most 1,300 lines', () => {
    const folder = join(ROOT, 'src/memory')
    const lines = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_300)
  })

  it('[repo-3] names only folders of the table', () => {
    for (const [name, { imports = [], types = [] }] of Object.entries(layers)) {
      for (const other of [...imports, ...types])
        expect(layers, `${name} imports ${other}`).toHaveProperty([other.replace(/\/\*$/, '')])
    }
  })

  it('[repo-3] points one way: no folder reaches itself', () => {
    const reaches = (from: string, seen: Set<string>): Set<string> => {
      for (const next of layers[from]?.imports ?? []) if (!seen.has(next)) reaches(next, seen.add(next))
      return seen
    }
    expect(Object.keys(layers).filter((name) => reaches(name, new Set()).has(name))).toEqual([])
  })

  it('[repo-3] is what the normal lint run uses', async () => {
    const { output } = await runTool('oxlint', ['--print-config'])
    expect(output).toContain('src/domain may not import this: see layers.ts')
  })
})
