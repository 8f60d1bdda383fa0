// oxlint-disable-next-line typescript/triple-slash-reference -- ambient: who compiles these sources by import has no other way to see it
/// <reference path="./better-sqlite3-multiple-ciphers.d.ts" />
import type BetterSqlite from 'better-sqlite3'
import { checkNode } from '../../domain/check-node.ts'
import { MemoryError } from '../../domain/error.ts'

type DriverPackage = 'better-sqlite3' | 'better-sqlite3-multiple-ciphers'

/** How each bundler is told; docs/platforms.md has the same lines. */
const EXTERNAL =
  "esbuild --external:daybook, Vite ssr.external: ['daybook'], Next.js serverExternalPackages: ['daybook'], webpack externals: { daybook: 'commonjs daybook' }"

/** Opens one file. */
export type OpenFile = (file: string, options: BetterSqlite.Options) => BetterSqlite.Database

/**
 * Loads a SQLite driver when a file is to be opened, and not before: a program that talks to PostgreSQL or to a server runs
 * where the driver is not installed.
 *
 * @throws {MemoryError} `store/unsupported` if Node is too old, the package is missing or its native file cannot be loaded.
 */
export async function loadSqlite(name: DriverPackage): Promise<OpenFile> {
  checkNode(process.versions.node)
  const Database = await load(name)
  return (file, options) => {
    try {
      return new Database(file, options)
    } catch (error) {
      throw isNativeFailure(error) ? unloadable(name, error) : error
    }
  }
}

/** Bundlers see the names as they are written here. With a `catch` right there, a missing package is no error of the build. */
async function load(name: DriverPackage): Promise<typeof BetterSqlite> {
  const failed = (error: unknown): never => {
    throw isMissing(error) ? missing(name, error) : unloadable(name, error)
  }
  return name === 'better-sqlite3'
    ? (await import('better-sqlite3').catch(failed)).default
    : (await import('better-sqlite3-multiple-ciphers').catch(failed)).default
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

/** The driver looks for its native file when it opens its first database. In a bundle it looks beside the bundle. */
function isNativeFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED'
}

function missing(name: DriverPackage, error: unknown): MemoryError {
  return new MemoryError(
    'store/unsupported',
    `Cannot open a file: the package ${name} is not installed, install it with: npm install ${name}`,
    { package: name },
    error,
  )
}

function unloadable(name: DriverPackage, error: unknown): MemoryError {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
  return new MemoryError(
    'store/unsupported',
    `Cannot open a file: ${name} cannot be loaded (${reason}). In a bundle, keep daybook outside of it: ${EXTERNAL}`,
    { package: name },
    error,
  )
}
