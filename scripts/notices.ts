import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'tsdown'
import { ROOT } from './run.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

interface Lock {
  readonly packages: Readonly<Record<string, Manifest & { readonly dependencies?: Readonly<Record<string, string>> }>>
}

/**
 * Writes the licences of what is built in, and an SBOM of all that runs: built in, and installed beside it. `others` are packages that
 * another build puts in.
 */
export function notices(others: readonly string[]): Rolldown.Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const found = modules.flatMap((id) => packageFolder(id) ?? [])
      const folders = [...new Set([...found, ...others.map((name) => join(ROOT, 'node_modules', name))])]
      const builtIn = folders.map((folder) => ({ folder, ...manifestOf(folder) })).toSorted(byName)
      const licences = builtIn.map(({ folder, name, version }) => `${name} ${version}\n\n${licenceOf(folder)}`)
      this.emitFile({
        type: 'asset',
        fileName: 'vendor/LICENSES.txt',
        source: `${licences.join(`\n${'-'.repeat(72)}\n\n`)}`,
      })
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: `${JSON.stringify(sbom(builtIn), null, 2)}\n` })
    },
  }
}

function packageFolder(id: string): string | undefined {
  if (!id.includes('/node_modules/')) return undefined
  // The nearest manifest with a name: some packages have nameless ones in their folders.
  for (let folder = dirname(id); folder.includes('/node_modules/'); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) && manifestOf(folder).version !== undefined) return folder
  return undefined
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const { name, license, author } = manifestOf(folder)
  if (license === undefined) throw new Error(`Cannot build in ${name}: it declares no licence, expected one`)
  const owner = typeof author === 'string' ? author : (author?.name ?? 'its authors')
  return `Licensed under ${license} by ${owner}, as its package.json declares; the package has no licence file.`
}

/** CycloneDX 1.6, without a date or a random number: two builds of one commit are equal. */
function sbom(builtIn: readonly Manifest[]): object {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const own = manifestOf(ROOT)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component(own) },
    components: [
      ...builtIn.map((made) => component(made, 'built in')),
      ...installed(lock).map((found) => component(found, 'installed')),
    ],
  }
}

function component({ name, version, license }: Manifest, how?: 'built in' | 'installed'): object {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': how === undefined ? purl : `${purl}#${how.replace(' ', '-')}`,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
    ...(how === undefined ? {} : { properties: [{ name: 'daybook:present', value: how }] }),
  }
}

/** What npm installs with us, by the versions of our lock. */
function installed({ packages }: Lock): readonly Manifest[] {
  const found = new Map<string, Manifest>()
  const visit = (name: string): void => {
    const entry = packages[`node_modules/${name}`]
    if (entry === undefined || found.has(name)) return
    found.set(name, { ...entry, name })
    for (const other of Object.keys(entry.dependencies ?? {})) visit(other)
  }
  for (const name of Object.keys(packages['']?.dependencies ?? {})) visit(name)
  return [...found.values()].toSorted(byName)
}

function byName(a: Manifest, b: Manifest): number {
  return a.name < b.name ? -1 : 1
}
