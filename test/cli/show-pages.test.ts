import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { Shell } from '../../src/cli/shell.ts'
import { showPages } from '../../src/cli/show-pages.ts'
import { folder } from './harness.ts'

const place = folder()

function terminal(pager: string, isTTY = true): Shell {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 10 })
  return {
    stdin: stream,
    stdout: stream,
    stderr: stream,
    argv: [],
    end: () => undefined,
    env: { PAGER: pager },
  } as never
}

const long = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')

it('[words-21] shows what is longer than the terminal in the pager of the environment, and nothing else', () => {
  const file = join(place, 'paged.txt')
  const pager = `cat > '${file}'`
  expect(showPages(terminal(pager), 'short')).toBe(false)
  expect(showPages(terminal(pager, false), long)).toBe(false)
  expect(showPages(terminal(''), long)).toBe(false)
  expect(existsSync(file)).toBe(false)
  expect(showPages(terminal(pager), long)).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe(long)
  // Somebody who leaves the pager early has seen enough.
  expect(showPages(terminal('head -n 1 > /dev/null'), long.repeat(2_000))).toBe(true)
})

it('[words-21] writes everything where there is no such pager', () => {
  expect(showPages(terminal('no-such-pager-here 2> /dev/null'), long)).toBe(false)
})
