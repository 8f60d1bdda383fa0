import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ROOT, run, runTool } from '../../scripts/run.ts'
import { codeBlocks, programs } from '../repository/code-blocks.ts'

/** The first of line 22 with Node-API 10: on an older one better-sqlite3 13 crashes (WiseLibs/better-sqlite3#1514). */
const OLDEST = '22.14.0'

describe('the built package on the oldest Node that its driver runs on', () => {
  let folder: string

  beforeAll(async () => {
    mkdirSync(join(ROOT, 'scratch'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'scratch/oldest-'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "allowScripts": { "node": true } }')
    const steps = [
      await run('npm', ['install', '--prefix', folder, '--no-save', `node@${OLDEST}`]),
      await runTool('tsdown', ['--out-dir', join(folder, 'dist')]),
    ]
    for (const { code, output } of steps) if (code !== 0) throw new Error(output)
  }, 5 * 60_000)

  afterAll(() => rmSync(folder, { recursive: true }))

  it(`[repo-1] runs the example of README.md on Node ${OLDEST}`, async () => {
    const [example] = programs(codeBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8')))
    const text = example?.text.replace("from 'daybook'", "from './dist/index.js'") ?? ''
    writeFileSync(join(folder, 'example.js'), `console.log(process.version)\n${text}`)
    const node = join(folder, 'node_modules/node/bin/node')
    const { code, output } = await run(node, ['example.js'], { cwd: folder })
    expect(code, output).toBe(0)
    expect(output).toContain(`v${OLDEST}`)
  })
})
