// Loads what an append in a new file loads, one module after the other, and prints what each took.
import { registerHooks } from 'node:module'
import type * as Daybook from '../../src/index.ts'

/** In milliseconds. */
export interface ModuleCosts {
  readonly modules: readonly { readonly name: string; readonly ms: number }[]
  readonly import: number
  readonly open: number
  readonly append: number
}

const [, , entry = '', file = ''] = process.argv
const found: string[] = []
const again = process.argv.slice(4)
const { openMemory } = again.length === 0 ? await collected() : await timedModules()
if (again.length === 0) {
  const memory = await openMemory(file)
  await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
  await memory.close()
  const { spawnSync } = await import('node:child_process')
  const words = [...process.execArgv, process.argv[1] ?? '', entry, `${file}-again`, ...found]
  process.stdout.write(spawnSync(process.execPath, words).stdout)
}

/** Runs once and notes which modules are loaded, in their order. */
async function collected(): Promise<typeof Daybook> {
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:') && url !== import.meta.url) found.push(url)
      return next(url, context)
    },
  })
  return (await import(entry)) as typeof Daybook
}

/** Loads the same, those that others need first, so that each pays for itself alone. */
async function timedModules(): Promise<typeof Daybook> {
  const modules: { name: string; ms: number }[] = []
  for (const url of again.toReversed()) {
    const start = performance.now()
    await import(url).catch(() => undefined) // a native file is loaded by the module that names it
    modules.push({ name: url.split('/').slice(-2).join('/'), ms: performance.now() - start })
  }
  const loaded = (await import(entry)) as typeof Daybook
  const start = performance.now()
  const memory = await loaded.openMemory(file)
  const opened = performance.now()
  await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
  const appended = performance.now()
  await memory.close()
  const imported = modules.reduce((sum, { ms }) => sum + ms, 0)
  const told: ModuleCosts = { modules, import: imported, open: opened - start, append: appended - opened }
  process.stdout.write(JSON.stringify(told))
  return loaded
}
