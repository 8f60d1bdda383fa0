import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { pictures } from '../../scripts/pictures.ts'
import { ROOT } from '../../scripts/run.ts'

describe('the pictures of the docs', () => {
  it('[words-4] are those that the script draws', () => {
    const folder = join(ROOT, 'docs/pictures')
    // Photographs of the inspector are beside them.
    const drawn = readdirSync(folder)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name.replace('.svg', ''), readFileSync(join(folder, name), 'utf8')])
    expect(Object.fromEntries(drawn)).toEqual(pictures)
  })
})
