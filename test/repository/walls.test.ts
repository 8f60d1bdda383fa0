import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

it('[walls-295] the command for the figures of walls finds them: its tests print the lines that it looks for', () => {
  const script = read('scripts/walls.ts')
  for (const goal of ['M9', 'M11', 'M12', 'M15']) expect(script).toContain(`'${goal.padEnd(3)} `)
  const parts = [...script.matchAll(/tests\('\w+', \[([^\]]+)\], \[([^\]]+)\]\)/g)]
  expect(parts).toHaveLength(4)
  const quoted = (list = ''): readonly string[] => [...list.matchAll(/'([^']+)'/g)].map(([, text]) => text ?? '')
  for (const [, files, shows] of parts) {
    for (const file of quoted(files)) expect(existsSync(join(ROOT, file)), file).toBe(true)
    const texts = quoted(files).map(read).join('\n')
    for (const begin of quoted(shows)) expect(texts, begin).toContain(begin)
  }
  for (const [, name = ''] of script.matchAll(/benchmark\('(\w+)'\)/g))
    expect(read('bench/run.ts')).toContain(`  ${name}: ${name}Benchmark,`)
})
