import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { ROOT } from '../../scripts/run.ts'

/** Makes a folder of the repository a project that has the package installed, with every entry leading to the source. */
export function installHere(folder: string): void {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    '{ "extends": "../../tsconfig.json", "include": ["*.ts", "../../src/**/*.d.ts"] }',
  )
  const installed = join(folder, 'node_modules', name)
  const entries: Record<string, { readonly types: string; readonly import: string }> = {}
  for (const [key, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue
    const path = target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '')
    entries[key] = { types: `./${path}.d.ts`, import: `./${path}.js` }
    mkdirSync(dirname(join(installed, path)), { recursive: true })
    const up = '../'.repeat(path.split('/').length + 3)
    for (const extension of ['js', 'd.ts'])
      writeFileSync(join(installed, `${path}.${extension}`), `export * from '${up}src/${path}.ts'\n`)
  }
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name, type: 'module', exports: entries }))
}
