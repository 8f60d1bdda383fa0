import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import * as daybook from '../../src/index.ts'

const entry = join(import.meta.dirname, '../../src/index.ts')

it('[repo-1] the front door has these names, at most 25 values and 30 types', () => {
  expect(Object.keys(daybook).toSorted()).toEqual([
    'MemoryError',
    'autoContext',
    'balanced',
    'blockTools',
    'convert',
    'extractAction',
    'fromAISDK',
    'fromAnthropic',
    'fromGemini',
    'fromOpenAI',
    'fromOpenAIResponses',
    'hashEmbedder',
    'lint',
    'longTermMemory',
    'managed',
    'openMemory',
    'recency',
    'repair',
    'rolling',
    'runTurn',
    'simulateCache',
    'textOf',
  ])
  expect(Object.keys(daybook).length).toBeLessThanOrEqual(25)
  const names = readFileSync(entry, 'utf8').matchAll(/export (type )?\{([^}]*)\}/g)
  const types = [...names].flatMap(([, type, list = '']) =>
    list.split(',').filter((name) => type !== undefined || name.trim().startsWith('type ')),
  )
  expect(types.length).toBeLessThanOrEqual(30)
})

it('[tok-1] an exact tokenizer is loaded only by who chose it', () => {
  const program = (options: string): string => `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    const { openMemory } = await import(${JSON.stringify(pathToFileURL(entry).href)})
    const memory = await openMemory(':memory:', ${options})
    await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
    await memory.close()
    console.log(JSON.stringify(loaded.filter((url) => url.includes('node_modules')).map((url) => url.replace(/.*node_modules[/]([^/]+)[/].*/, '$1'))))`
  const packages = (options: string): unknown => [
    ...new Set(
      JSON.parse(
        execFileSync(process.execPath, ['--input-type=module', '--eval', program(options)], { encoding: 'utf8' }),
      ) as string[],
    ),
  ]
  expect(packages('{}')).toEqual(['better-sqlite3'])
  expect(packages("{ tokenizer: 'cl100k_base' }")).toEqual(['gpt-tokenizer', 'better-sqlite3'])
})
