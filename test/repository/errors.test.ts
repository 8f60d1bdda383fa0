import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ROOT } from '../../scripts/run.ts'

const source = readFileSync(join(ROOT, 'src/domain/error.ts'), 'utf8')
const codes = [...source.matchAll(/^ {2}\| '([a-z-]+\/[a-z-]+)'/gm)].map(([, code = '']) => code)
const rows = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))

describe('the list of events', () => {
  it('[words-26] has each event of `onEvent`, and no other', () => {
    const events = readFileSync(join(ROOT, 'src/api/events.ts'), 'utf8')
    const types = [...events.matchAll(/type: '([a-z-]+)'/g)].map(([, type = '']) => type)
    const listed = [...readFileSync(join(ROOT, 'docs/events.md'), 'utf8').matchAll(/^\| `([a-z-]+)` /gm)]
    expect(listed.map(([, type = '']) => type).toSorted()).toEqual(types.toSorted())
  })
})

describe('the list of errors', () => {
  it('[words-3] has each code once, and no other', () => {
    const listed = rows.map(([, code = '']) => code.replaceAll('`', ''))
    expect(codes.length).toBeGreaterThan(50)
    expect(listed.toSorted()).toEqual(codes.toSorted())
  })

  it.each(codes)('[words-3] gives a cause and a remedy for %s', (code) => {
    const [, , ...cells] = rows.find((row) => row[1] === `\`${code}\``) ?? []
    const [remedy, cause] = [cells.at(-2) ?? '', cells.at(-3) ?? '']
    expect(cause.length).toBeGreaterThan(15)
    expect(remedy.length).toBeGreaterThan(9)
  })
})
