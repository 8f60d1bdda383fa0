import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ROOT } from '../../scripts/run.ts'

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm

/** The names that more than one file declares and exports, with the files. */
function clashes(files: ReadonlyMap<string, string>): readonly string[] {
  const places = new Map<string, Set<string>>()
  for (const [file, text] of files)
    for (const [, name = ''] of text.matchAll(DECLARATION)) places.set(name, (places.get(name) ?? new Set()).add(file))
  return [...places].filter(([, found]) => found.size > 1).map(([name, found]) => `${name}: ${[...found].join(', ')}`)
}

function sources(): ReadonlyMap<string, string> {
  const folder = join(ROOT, 'src')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Documents of this repository: those in capitals at its root, and pages of its docs. */
const DOCUMENT = /(?<![\w/.-])(?:[A-Z]{4,}|docs\/[\w/-]+)\.md\b/g

it('[surface-53] comments and messages cite only documents that are in the repository', () => {
  const missing = [...sources()].flatMap(([file, text]) =>
    [...text.matchAll(DOCUMENT)]
      .filter(([document]) => !existsSync(join(ROOT, document)))
      .map(([document]) => `${file}: ${document}`),
  )
  expect(missing).toEqual([])
})

describe('exported names', () => {
  it('[surface-50] are declared once in the tree', () => {
    expect(clashes(sources())).toEqual([])
  })

  it('are compared across files and not within one, where overloads repeat them', () => {
    const files = new Map([
      ['a.ts', 'export function read(): void\nexport function read(): void {}'],
      ['b.ts', 'export interface Row {}'],
      ['c.ts', 'export type Row = string'],
    ])
    expect(clashes(files)).toEqual(['Row: b.ts, c.ts'])
  })
})
