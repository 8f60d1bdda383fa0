import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { ROOT } from '../../../scripts/run.ts'

/** A regular expression of the sources. */
export interface SourcePattern {
  readonly file: string
  readonly pattern: RegExp
}

interface Found {
  readonly literals: readonly SourcePattern[]
  /** Files that make patterns out of text, and how often they say so. */
  readonly makers: ReadonlyMap<string, number>
}

/** Every regular expression that is written in `src/`; and which files build more of them. */
export function sourcePatterns(): Found {
  const literals: SourcePattern[] = []
  const makers = new Map<string, number>()
  const folder = join(ROOT, 'src')
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.tsx?$/.test(file) || file.endsWith('.d.ts')) continue
    const tree: unknown = parseAst(readFileSync(join(folder, file), 'utf8'), {
      lang: file.endsWith('x') ? 'tsx' : 'ts',
    })
    visit(tree, (node) => {
      const { regex, callee } = node
      if (isRegex(regex)) literals.push({ file, pattern: new RegExp(regex.pattern, regex.flags) })
      if (isNode(callee) && callee['name'] === 'RegExp') makers.set(file, (makers.get(file) ?? 0) + 1)
    })
  }
  return { literals, makers }
}

/** The patterns that files build while they are loaded. Load them for the first time here. */
export async function builtPatterns(files: Iterable<string>): Promise<readonly SourcePattern[]> {
  const built: SourcePattern[] = []
  const original = globalThis.RegExp
  let loading = ''
  globalThis.RegExp = new Proxy(original, {
    construct(target, values, self) {
      const pattern = Reflect.construct(target, values, self) as RegExp
      const at = /\/src\/(\S+?\.tsx?):/.exec(new Error('where').stack?.split('\n')[2] ?? '')?.[1] ?? loading
      built.push({ file: at, pattern })
      return pattern
    },
  })
  try {
    for (const file of files) {
      loading = file
      await import(join(ROOT, 'src', file))
    }
  } finally {
    globalThis.RegExp = original
  }
  return built
}

type Node = Readonly<Record<string, unknown>>

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  else if (isNode(value)) {
    see(value)
    for (const item of Object.values(value)) visit(item, see)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !(value instanceof RegExp)
}

function isRegex(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return isNode(value) && typeof value['pattern'] === 'string' && typeof value['flags'] === 'string'
}
