import type Driver from 'pg'
import { MemoryError } from '../../domain/error.ts'

export type { Driver }

/** Loaded when the first `postgres://` address is opened: nobody else needs it installed. */
export async function loadDriver(): Promise<typeof Driver> {
  const driver = await importDriver()
  // From version 8.7: without it, a memory that nobody uses would keep the process alive.
  if ('unref' in driver.Client.prototype) return driver
  throw new MemoryError(
    'store/unsupported',
    'Cannot open a memory on PostgreSQL: the package "pg" is too old, expected version 8.7 or newer (npm install pg@8)',
    { package: 'pg' },
  )
}

async function importDriver(): Promise<typeof Driver> {
  try {
    return (await import('pg')).default
  } catch (error) {
    throw new MemoryError(
      'store/cannot-open',
      'Cannot open a memory on PostgreSQL: the package "pg" is not installed, expected it beside daybook (npm install pg)',
      { package: 'pg' },
      error,
    )
  }
}

/** Whole numbers of 64 bits as numbers: all of ours are far below 2^53. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = { 20: Number, 1700: Number }

/** How the driver reads values: as SQLite's does. */
export function typesOf(driver: typeof Driver): Driver.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      (format !== 'binary' && parsers[oid]) || driver.types.getTypeParser(oid, format as 'text'),
  } as Driver.CustomTypesConfig
}
