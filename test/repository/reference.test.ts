import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { llmsFull, llmsIndex } from '../../scripts/docs/llms.ts'
import { pageGroups } from '../../scripts/docs/pages.ts'
import { referencePages } from '../../scripts/docs/reference.ts'
import { ROOT } from '../../scripts/run.ts'
import { surface } from '../../src/surface/index.ts'

const { api = '', options = '', http = '' } = referencePages()

describe('the reference', () => {
  it.each(surface)('[words-6] lists $name over HTTP, with its address', ({ name, method, path }) => {
    expect(http).toContain(`### ${name}\n\n\`${method.toUpperCase()} ${path}\`\n`)
  })

  it.each([
    ['Memory', 'src/api/memory.ts'],
    ['Scope', 'src/api/scope.ts'],
    ['Session', 'src/api/session.ts'],
  ])('[words-6] lists every method of %s', (handle, file) => {
    const [, body = ''] = readFileSync(join(ROOT, file), 'utf8').split(`export interface ${handle} {`)
    const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name)
    expect(methods.length).toBeGreaterThan(10)
    expect(methods.filter((name) => !api.includes(`### ${handle}.${name}\n`))).toEqual([])
  })

  it('[words-6] explains the options with their defaults', () => {
    expect(options).toContain('## MemoryOptions')
    expect(options).toMatch(/^\| `limit\?` \| `number` \| At most this many items\. \| 10, or as many as fit/m)
  })
})

describe('the documentation for language models', () => {
  it('[words-7] has every page, in an index and as one text', () => {
    const written = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    const [index, full] = [llmsIndex(), llmsFull()]
    expect(written.filter((name) => !index.includes(`(docs/${name}): `))).toEqual([])
    expect(written.filter((name) => !full.includes(`<!-- docs/${name} -->`))).toEqual([])
  })

  it('[words-7] has a sentence for every page', () => {
    const lines = llmsIndex()
      .split('\n')
      .filter((line) => line.startsWith('- ['))
    expect(lines.length).toBe(pageGroups().flatMap(({ pages }) => pages).length)
    expect(lines.filter((line) => !/: .{10,}/.test(line))).toEqual([])
  })
})
