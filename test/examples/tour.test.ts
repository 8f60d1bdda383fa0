import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('[repo-9] the tour appends to a real file, shows the context, kills the writer, reopens, and finds everything', () => {
  const tour = join(import.meta.dirname, '../../examples/tour.ts')
  const output = execFileSync(process.execPath, [tour], { encoding: 'utf8' })
  expect(output).toMatch(/one file: .*agent\.db/)
  expect(output).toContain('"role":"tool","tool_call_id":"call_1"')
  expect(output).toMatch(/killed \(kill -9\) after message \d+ was acknowledged/)
  expect(output).toContain('every acknowledged one is there')
  expect(output).toContain('nothing has changed')
})
