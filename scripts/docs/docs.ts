// The documentation: `npm run docs` builds the site into docs/.vitepress/dist, `npm run docs:dev` serves it while you write, and
// `npm run docs:pages` only makes the pages that are derived from the source (docs/reference, llms.txt, llms-full.txt).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../run.ts'
import { llmsFull, llmsIndex } from './llms.ts'
import { referencePages } from './reference.ts'

const DOCS = join(ROOT, 'docs')

function writePages(): void {
  mkdirSync(join(DOCS, 'reference'), { recursive: true })
  for (const [name, text] of Object.entries(referencePages()))
    writeFileSync(join(DOCS, 'reference', `${name}.md`), text)
  writeFileSync(join(ROOT, 'llms.txt'), llmsIndex())
  writeFileSync(join(ROOT, 'llms-full.txt'), llmsFull())
}

/** The site has a package.json of its own, so that nobody installs it who only wants the library. */
function installSite(): void {
  if (existsSync(join(DOCS, 'node_modules/vitepress'))) return
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--no-package-lock']
  const { status } = spawnSync('npm', words, { cwd: DOCS, stdio: 'inherit' })
  if (status !== 0) throw new Error(`Cannot install the site: npm exited with ${status}`)
}

const [mode = 'build'] = process.argv.slice(2)
writePages()
if (mode !== 'pages') {
  installSite()
  const vitepress = join(DOCS, 'node_modules/vitepress/bin/vitepress.js')
  const { status } = spawnSync(process.execPath, [vitepress, mode, DOCS], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
