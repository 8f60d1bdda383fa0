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
const phases = [new Map<string, readonly string[]>()]
const again = process.argv.slice(4)
const { openMemory } = again.length === 0 ? await collected() : await timedModules()
if (again.length === 0) {
  const memory = await openMemory(file)
  await memory.scope('a').session('s').append({ role: 'user', content: 'Hello' })
  await memory.close()
  const { spawnSync } = await import('node:child_process')
  const words = [...process.execArgv, process.argv[1] ?? '', entry, `${file}-again`, ...inOrder()]
  process.stdout.write(spawnSync(process.execPath, words).stdout)
}

/** Runs once and notes which modules are loaded, and by which: first with the entry, then on first use. */
async function collected(): Promise<typeof Daybook> {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      const parent = context.parentURL ?? ''
      const needs = phases.at(-1)
      if (resolved.url.startsWith('file:')) needs?.set(parent, [...(needs.get(parent) ?? []), resolved.url])
      return resolved
    },
  })
  const loaded = (await import(entry)) as typeof Daybook
  phases.push(new Map())
  return loaded
}

/** All of them, each once and after those that it needs. */
function inOrder(): readonly string[] {
  const ordered = new Set<string>()
  for (const needs of phases) {
    const visited = new Set<string>()
    const visit = (url: string): void => {
      if (visited.has(url)) return
      visited.add(url)
      for (const other of needs.get(url) ?? []) visit(other)
      if (url !== import.meta.url) ordered.add(url)
    }
    for (const url of needs.keys()) visit(url)
  }
  return [...ordered]
}

/** Loads the same, those that others need first, so that each pays for itself alone. */
async function timedModules(): Promise<typeof Daybook> {
  const modules: { name: string; ms: number }[] = []
  for (const url of again) {
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
