import { posix } from 'node:path'

import type { OxlintConfig } from 'oxlint'

import type { Layer } from '../layers.ts'

type Override = NonNullable<OxlintConfig['overrides']>[number]

/** Folders below a layer's own folder that are checked. Deeper files may import nothing, which shows at once. */
const DEPTH_MAX = 3

/**
 * The table of layers as lint rules: one for each folder and depth, because a pattern sees the text of an import and
 * `../domain/` means another folder one level down.
 *
 * Each rule forbids everything and then takes back what is allowed. Negations in a `group` are the only way to say
 * "all but": the linter ignores a look-ahead in a `regex` without a word.
 */
export function layerRules(layers: Readonly<Record<string, Layer>>): Override[] {
  const unknown = override({ files: 'src/**/*.{ts,tsx}', name: 'an unknown folder', group: ['**'] })
  const known = Object.entries(layers).flatMap(([name, layer]) => placesOf(name).map((place) => rule(place, layer)))
  return [unknown, ...known]
}

/** Files that spell an import of the same folder in the same way. */
interface Place {
  readonly name: string
  readonly files: string
  readonly folder: string
  /** How many folders below the layer's own. */
  readonly depth: number
}

function placesOf(name: string): Place[] {
  if (name.endsWith('.ts')) return [{ name, files: `src/${name}`, folder: posix.dirname(name), depth: 0 }]
  return Array.from({ length: name === '.' ? 1 : DEPTH_MAX }, (_, depth) => ({
    name,
    files: posix.join('src', name, '*/'.repeat(depth), '*.{ts,tsx}'),
    folder: posix.join(name, 'deeper/'.repeat(depth)),
    depth,
  }))
}

/** What `api/` is made from, and what does not know it. All other folders may import its types. */
const BELOW_API = ['api', 'domain', 'shape', 'inspector']

/** The last pattern that matches decides, so they go from the widest to the narrowest. */
function rule({ name, files, folder, depth }: Place, layer: Layer): Override {
  const folders = (names: readonly string[] = []): string[] => names.map((other) => importsOf(folder, other))
  const types = folders([...(layer.types ?? []), ...(BELOW_API.includes(name) ? [] : ['api'])])
  const modules = [...(layer.node ?? []), ...(layer.packages ?? []).flatMap((module) => [module, `${module}/**`])]
  const allowed = [...folders(layer.imports), ...types, ...modules]
  // Ways to spell another folder that begin like an allowed one: `./../stores/`, `../domain/../stores/`.
  const detours = ['./../**', './**/../**', '**/[a-z]*/../**']
  const own = name === '.' ? ['!./*'] : ['!./**', '!../**', `${'../'.repeat(depth + 1)}**`]
  // A folder above also spells those beside it: `../**` has `../../stores/` in it.
  const above = allowed.filter((pattern) => /^(?:\.\.\/)+\*\*$/.test(pattern))
  const opened = above.flatMap((pattern) => [`!${pattern}`, `../${pattern}`])
  const others = allowed.filter((pattern) => !above.includes(pattern)).map((pattern) => `!${pattern}`)
  const group = ['**', ...own, ...opened, ...others, ...detours]
  return override({ files, name, group, types })
}

/** Everything in a folder; with `/*` behind its name, the files directly in it. */
function importsOf(from: string, to: string): string {
  return to.endsWith('/*') ? `${relative(from, posix.dirname(to))}/*.ts` : `${relative(from, to)}/**`
}

function relative(from: string, to: string): string {
  const path = posix.relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}

interface Restriction {
  readonly files: string
  readonly name: string
  readonly group: string[]
  readonly types?: readonly string[]
}

function override({ files, name, group, types = [] }: Restriction): Override {
  const message = `src/${name} may not import this: see layers.ts`
  // A negation clears the groups before it too, so "only types" is a regular expression and comes first.
  const begins = (allowed: string): string =>
    `^${allowed.replace('**', '').replaceAll('.', '[.]').replace('*[.]ts', '[^/]+[.]ts$')}`
  const onlyTypes = types.map((pattern) => ({ regex: begins(pattern), message, allowTypeImports: true }))
  return {
    files: [files],
    rules: { 'no-restricted-imports': ['error', { patterns: [...onlyTypes, { group, message }] }] },
  }
}
