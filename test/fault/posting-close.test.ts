import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const entry = pathToFileURL(join(import.meta.dirname, '../../src/index.ts')).href

it.each([
  ['closes', ''],
  ['settles', 'await memory.settled()'],
  ['recalls what is new', "await memory.scope('a').recall('word', { fresh: true })"],
])('[walls-40] a memory %s while it is indexing, in a process that waits for nothing else', (_, waits) => {
  // Indexing starts 200 ms after an append. It was seen to hang at one of these moments.
  const program = `
    const { openMemory } = await import(${JSON.stringify(entry)})
    for (let ms = 196; ms < 230; ms += 4) {
      const memory = await openMemory(':memory:', { learn: false })
      const messages = Array.from({ length: 40 }, (_, i) => ({ role: 'user', content: 'word ' + i + ' and more '.repeat(100) }))
      for (const message of messages) await memory.scope('a').session('s').append(message)
      await new Promise((resolve) => setTimeout(resolve, ms))
      ${waits}
      await memory.close()
    }
    console.log('closed')`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(out.trim()).toBe('closed')
})
