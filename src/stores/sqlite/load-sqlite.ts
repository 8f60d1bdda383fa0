// oxlint-disable-next-line typescript/triple-slash-reference -- ambient: who compiles these sources by import has no other way to see it
/// <reference path="./better-sqlite3-multiple-ciphers.d.ts" />
import process from 'node:process'
import type BetterSqlite from 'better-sqlite3'
import { checkNode } from '../../domain/check-node.ts'
import { MemoryError } from '../../domain/error.ts'

type DriverPackage = 'better-sqlite3' | 'better-sqlite3-multiple-ciphers'

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
  const Database = await load(name).catch((error: unknown): never => {
    throw new MemoryError(
      'store/unsupported',
      `Cannot open a file: the package ${name} cannot be loaded, install it with: npm install ${name}`,
      { package: name },
      error,
    )
  })
  return (file, options) => {
    try {
      return new Database(file, options)
    } catch (error) {
      throw isNativeFailure(error) ? nativeFailure(name, error) : error
    }
  }
}

// The names are spelled out so that bundlers see them.
async function load(name: DriverPackage): Promise<typeof BetterSqlite> {
  return name === 'better-sqlite3'
    ? (await import('better-sqlite3')).default
    : (await import('better-sqlite3-multiple-ciphers')).default
}

/** The driver looks for its native file when it opens its first database. In a bundle it looks beside the bundle. */
function isNativeFailure(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED'
}

function nativeFailure(name: DriverPackage, error: Error): MemoryError {
  const [reason] = error.message.split('\n')
  return new MemoryError(
    'store/unsupported',
    `Cannot open a file: the native file of ${name} cannot be loaded (${reason}). In a bundle, keep daybook outside of it: esbuild --external:daybook, Vite ssr.external: ['daybook'], Next.js serverExternalPackages: ['daybook'], webpack externals: { daybook: 'import daybook' }`,
    { package: name },
    error,
  )
}
