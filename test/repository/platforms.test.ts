import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { platforms, withTable } from '../../scripts/platforms.ts'
import { ROOT } from '../../scripts/run.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
/** The formatter pads the columns of a table. */
const unpadded = (text: string): string => text.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---')

describe('docs/platforms.md', () => {
  it('[anywhere-21] has the table that `npm run platforms` writes', () => {
    const page = read('docs/platforms.md')
    expect(unpadded(page)).toBe(unpadded(withTable(page)))
    for (const { name } of platforms) expect(page).toContain(name)
  })

  it.each(platforms)('[anywhere-21] $name is run by $test', ({ test, seen }) => {
    for (const text of seen) expect(read(test)).toContain(text)
  })
})
