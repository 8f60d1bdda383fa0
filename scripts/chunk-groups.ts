import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

interface ChunkGroup {
  readonly name: string
  readonly test: (id: string) => boolean
  readonly priority: number
}

/**
 * What a program loads that opens a memory in a file, in five files instead of 130: each costs Node as much as what is in it. A module
 * is in the first group that has it. Every group is closed under imports, but for groups before it, so that no two need each other
 * and a browser gets nothing that needs Node.
 */
export function chunkGroups(root: string): readonly ChunkGroup[] {
  const source = (file: string): string => resolve(root, 'src', file)
  const library = modulesBehind(source('index.ts'))
  const web = modulesBehind(source('client/web.ts'))
  const local = modulesBehind(source('memory/open-memory-with.ts'))
  const groups: Readonly<Record<string, ReadonlySet<string>>> = {
    dialects: both(library, modulesBehind(source('dialects.ts'))),
    // What a memory needs in a file and through a server.
    shared: both(new Set([...library, ...local]), web),
    library,
    local,
    sqlite: modulesBehind(source('stores/sqlite/store.ts')),
  }
  return Object.entries(groups).map(([name, modules], index) => ({
    name,
    test: (id) => modules.has(id),
    priority: 10 - index,
  }))
}

function both(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((module) => other.has(module)))
}

const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?'(\.[^']+)'/gm

/** A module and all that it imports, without what it imports on first use. */
function modulesBehind(entry: string): ReadonlySet<string> {
  const found = new Set([entry])
  for (const file of found)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) found.add(resolve(dirname(file), path))
  return found
}
