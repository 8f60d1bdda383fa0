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

/** Names that say too little or that mean something else here, and what to write instead. */
const BETTER: readonly (readonly [name: RegExp, instead: string])[] = [
  [/(?:interface|type|class) Placed?\b/, 'an address, a position, a start or a source'],
  [/(?:interface|type|class) \w*(?:Means|Terms|Deed|Visit)\b/, 'the options, the request or the work'],
  [
    /(?:const|let|function|readonly) (?:deed|doomed|strangers?|patiently|abreast|sideBySide|inSight|isInSight)\b/,
    'a plain name',
  ],
  [/function \w*[pP]atiently\b/, 'with retries'],
  [/(?:interface|type|class) (?:\w+Draft|Draft(?!Text)\w+)\b/, 'a draft is a message that is not stored'],
  [/(?:class|interface) \w*Sealer\b|function seal\w*Line/, 'sealed is encrypted; a chain has hashes'],
  [/function fold(?:Case|Accents?)\b/, 'a fold is what stands for messages; letters are normalised'],
]

describe('one word has one meaning', () => {
  it('[surface-54] no declaration has a name that was replaced', () => {
    const wrong = [...sources()].flatMap(([file, text]) =>
      BETTER.flatMap(([name, instead]) => {
        const found = name.exec(text)
        return found === null ? [] : [`${file}: ${found[0]} (write ${instead})`]
      }),
    )
    expect(wrong).toEqual([])
  })
})
