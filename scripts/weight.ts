import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.ts'

export const MEGABYTES_MAX = 50
export const PACKAGES_MAX = 20

/** A file takes whole blocks of a disk, as `du` counts. */
const BLOCK_BYTES = 4_096

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What `npm install daybook` puts on a disk: the unpacked package, and its dependencies as they are installed here. */
export function weigh(unpacked: string): { readonly megabytes: number; readonly packages: number } {
  const folders = new Map<string, string>()
  const visit = (folder: string): void => {
    const { name, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    if (folders.has(name)) return
    folders.set(name, folder)
    for (const other of Object.keys(dependencies)) visit(join(ROOT, 'node_modules', other))
  }
  visit(unpacked)
  const bytes = [...folders.values()].reduce((sum, folder) => sum + bytesOf(folder), 0)
  return { megabytes: bytes / 2 ** 20, packages: folders.size }
}

/** The size on disk of everything in a folder. */
export function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stats) => sum + Math.ceil(stats.size / BLOCK_BYTES) * BLOCK_BYTES, 0)
}
