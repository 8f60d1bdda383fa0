import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, run } from '../../scripts/run.ts'

const built = join(ROOT, 'docs/.vitepress/dist')

describe('the site of the documentation', () => {
  it('[words-5] is built by one command, with a search that needs no server', async () => {
    rmSync(built, { recursive: true, force: true })
    const { code, output } = await run('npm', ['run', 'docs'])
    expect(code, output).toBe(0)
    expect(readFileSync(join(built, 'start.html'), 'utf8')).toContain('Five minutes')
    expect(readFileSync(join(built, 'reference/api.html'), 'utf8')).toContain('Session.append')
    expect(readFileSync(join(built, 'concepts.html'), 'utf8')).toContain('VPNavBarSearch')
  }, 600_000)
})
